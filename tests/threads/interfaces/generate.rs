//! Random programs with threads: globals of one or two bits, locals, loops, branches, calls without
//! recursion, atomic sections, locks.

use crate::support::Random;

/// A program of two or three threads.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9) + 17);
    let threads = 2 + u64::from(random.below(3) == 0);
    let has_main = random.below(4) != 0;
    let mut text = String::from("//! bits = 3\n");
    let free = if random.below(3) == 0 { "" } else { " = 0" };
    text += &format!("int a = 0, b{free}, c = 1;\nbool m = false, n = false;\n");
    // Without a main the first procedure of the text is a thread.
    let calls = random.flip();
    let mut procedures = String::new();
    if calls {
        procedures += &format!(
            "int f(int p) {{ int r = p; {} return r; }}\n",
            block(&mut random, 2, "r", false)
        );
        procedures += &format!("void g() {{ int s = b; {} }}\n", block(&mut random, 2, "s", true));
    }
    for thread in 0..threads {
        let head = if thread == 0 && has_main {
            "void main()".to_string()
        } else {
            format!("thread t{thread}")
        };
        let length = if threads == 3 { 3 } else { 4 };
        let mut body = block(&mut random, length, "x", calls);
        if thread == random.below(threads) || random.below(3) == 0 {
            body += &format!(
                " assert({} {} {});",
                global(&mut random),
                if random.flip() { "!=" } else { "<" },
                1 + random.below(3)
            );
        }
        text += &format!("{head} {{ int x = {}; {body} }}\n", random.below(4));
    }
    text + &procedures
}

fn global(random: &mut Random) -> &'static str {
    ["a", "b", "c"][random.below(3) as usize]
}

fn value(random: &mut Random, local: &str) -> String {
    match random.below(6) {
        0 => random.below(4).to_string(),
        1 => local.to_string(),
        2 => format!("{} + 1", global(random)),
        3 => format!("{} + {local}", global(random)),
        _ => global(random).to_string(),
    }
}

fn condition(random: &mut Random, local: &str) -> String {
    match random.below(5) {
        0 => "*".to_string(),
        1 => format!("{local} == {}", random.below(4)),
        _ => format!(
            "{} {} {}",
            global(random),
            if random.flip() { "==" } else { "<=" },
            random.below(4)
        ),
    }
}

fn block(random: &mut Random, statements: u64, local: &str, calls: bool) -> String {
    let mut text = String::new();
    for _ in 0..statements {
        text += " ";
        text += &match random.below(14) {
            0..=4 => format!("{} = {};", global(random), value(random, local)),
            5 | 6 => format!("{local} = {};", value(random, local)),
            7 => format!(
                "if ({}) {{{} }} else {{{} }}",
                condition(random, local),
                assign(random, local),
                assign(random, local)
            ),
            8 => format!("while ({}) {{{} }}", condition(random, local), assign(random, local)),
            9 => format!("assume({});", condition(random, local).replace('*', "true")),
            10 => format!("atomic {{{}{} }}", assign(random, local), assign(random, local)),
            11 if random.flip() => {
                let (first, second) = if random.flip() { ("m", "n") } else { ("n", "m") };
                format!(
                    "lock({first}); lock({second});{} unlock({second}); unlock({first});",
                    assign(random, local)
                )
            }
            11 => format!("lock(m);{} unlock(m);", assign(random, local)),
            _ if calls && local == "x" && random.flip() => {
                format!("x = f({});", value(random, local))
            }
            _ if calls && local == "x" => "g();".to_string(),
            _ => format!("if ({}) {{{} }}", condition(random, local), assign(random, local)),
        };
    }
    text
}

fn assign(random: &mut Random, local: &str) -> String {
    let target = if random.below(3) == 0 { local } else { global(random) };
    format!(" {target} = {};", value(random, local))
}
