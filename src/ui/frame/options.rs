//! The options: a summary in the top bar that opens a small panel. What is in force is shown; what
//! the user changes is requested.

use super::icons::{Icon, icon};
use crate::draw::words;
use crate::wire::options::{
    C_BITS, CIMPLE_BITS, Checks, Dialect, EffectiveOptions, Globals, RequestedOptions, Saturation,
};
use crate::wire::projection::Method;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

const SATURATIONS: [Saturation; 3] = [Saturation::Post, Saturation::Pre, Saturation::Both];

/// Requested and in force.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) requested: RequestedOptions,
    pub(crate) effective: Option<EffectiveOptions>,
    /// The language in force: only what it has is offered.
    pub(crate) dialect: Dialect,
    pub(crate) method: Method,
    pub(crate) open: bool,
    pub(crate) on_toggle: Callback<()>,
    pub(crate) on_change: Callback<RequestedOptions>,
    pub(crate) on_method: Callback<Method>,
}

#[function_component(Options)]
pub(crate) fn options(props: &Props) -> Html {
    let toggle = props.on_toggle.reform(|_| ());
    let [width, rest] = summary(props);
    html! {
        <div class="options">
            <button
                class="button quiet-button"
                onclick={toggle.clone()}
                aria-haspopup="dialog"
                aria-expanded={props.open.to_string()}
                title={format!("Options of the analysis: {width}{rest}")}
            >
                <span class="summary">{ width }<span class="rest">{ rest }</span></span>
                if overridden(props) {
                    <span
                        class="overridden"
                        title="This was set here and overrides the program's first lines"
                    >
                        { "set here" }
                    </span>
                }
                { icon(Icon::Chevron) }
            </button>
            if props.open {
                <div class="backdrop" onclick={toggle}></div>
                { panel(props) }
            }
        </div>
    }
}

/// Is anything asked for but the language, which has its own place?
fn overridden(props: &Props) -> bool {
    RequestedOptions { dialect: None, ..props.requested.clone() } != RequestedOptions::default()
}

/// Has the language integers of a width that can be chosen, values for globals, and operations that
/// are checked?
fn is_c_like(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Cimple | Dialect::C | Dialect::Java)
}

fn saturation(props: &Props) -> Saturation {
    props.requested.saturation.unwrap_or_default()
}

fn globals(props: &Props) -> Globals {
    props.requested.globals.or(props.effective.as_ref().map(|e| e.globals)).unwrap_or(Globals::Any)
}

/// The width of `int` that is asked for or in force.
fn bits(props: &Props) -> u32 {
    let usual = match props.dialect {
        Dialect::C | Dialect::Java => C_BITS,
        _ => CIMPLE_BITS,
    };
    props.requested.bits.or(props.effective.as_ref().map(|e| e.bits)).unwrap_or(usual)
}

/// What is said behind the width: whether it is C's own, or "32 took too much".
fn width_origin(props: &Props) -> String {
    let open = props.dialect == Dialect::C
        && props.requested.bits.is_none()
        && props.effective.as_ref().is_none_or(|effective| effective.open_width);
    match props.effective.as_ref().filter(|_| open) {
        Some(effective) if effective.bits < C_BITS => format!(" ({C_BITS} took too much)"),
        _ if open => " (C)".to_string(),
        _ => String::new(),
    }
}

/// What becomes of the width of C's `int`.
fn width_note(props: &Props) -> &'static str {
    match props.requested.bits {
        Some(_) => "This width stays for the next program, until it is changed here.",
        None => {
            "C's int has 32 bits. Where they take too much, 16 and 8 are tried, and the answer \
             says so."
        }
    }
}

fn checks(props: &Props) -> Checks {
    props.requested.checks.or(props.effective.as_ref().map(|e| e.checks)).unwrap_or_default()
}

/// What is in force: the width, and the rest, for which a narrow bar has no room.
fn summary(props: &Props) -> [String; 2] {
    let globals = match globals(props) {
        Globals::Any => "any",
        Globals::Zero => "zero",
    };
    let only = props.requested.error.map(|line| format!(" · only line {line}")).unwrap_or_default();
    let reach =
        props.requested.reach.map(|line| format!(" · asks for line {line}")).unwrap_or_default();
    let start = props.requested.function.as_ref();
    let start = start.map(|name| format!(" · starts with {name}")).unwrap_or_default();
    let only = format!("{start}{reach}{only}");
    let label =
        props.requested.label.as_ref().map(|label| format!(" · label {label}")).unwrap_or_default();
    let method = if props.method == Method::default() {
        String::new()
    } else {
        format!(" · {}", props.method.word())
    };
    if props.dialect.is_raw() {
        return [words::decided_by(saturation(props)).to_string(), String::new()];
    }
    if !is_c_like(props.dialect) {
        return ["errors: assertions, labels".into(), format!("{label}{only}{method}")];
    }
    let checks = words::counted(checks(props).on().len() as u64, "check");
    [
        format!("int: {}", words::counted(bits(props).into(), "bit")),
        format!("{} · globals: {globals} · {checks}{label}{only}{method}", width_origin(props)),
    ]
}

/// What a method is good for, in a few words.
fn note(method: Method) -> &'static str {
    match method {
        Method::Functional => "all statements at once",
        Method::PerNode => "the paper's, one by one",
        Method::DoublePrestar => "backward twice for each, slow",
        Method::DoublePoststar => "forward twice for each, slow",
        Method::Naive => "mixes up callers and keeps too much",
    }
}

fn method(props: &Props) -> Html {
    let emit = props.on_method.clone();
    let changed = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        if let Some(method) = Method::ALL.into_iter().find(|method| method.word() == select.value())
        {
            emit.emit(method);
        }
    });
    html! {
        <div class="field">
            <label for="method">{ "Projection by" }</label>
            <select id="method" class="method" onchange={changed}>
                { for Method::ALL.into_iter().map(|m| html! {
                    <option value={m.word()} selected={m == props.method}>
                        { format!("{}: {}", m.word(), note(m)) }
                    </option>
                }) }
            </select>
        </div>
    }
}

/// A pushdown system has one option: which saturation decides.
fn pushdown_panel(props: &Props) -> Html {
    let (requested, emit) = (props.requested.clone(), props.on_change.clone());
    let changed = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        let saturation = SATURATIONS.into_iter().find(|s| s.word() == select.value());
        emit.emit(RequestedOptions { saturation, ..requested.clone() });
    });
    html! {
        <div class="popover" role="dialog" aria-label="Options">
            <div class="field">
                <label for="saturation">{ "Decided by" }</label>
                <select id="saturation" class="method" onchange={changed}>
                    { for SATURATIONS.into_iter().map(|s| html! {
                        <option value={s.word()} selected={s == saturation(props)}>
                            { direction(s) }
                        </option>
                    }) }
                </select>
            </div>
            <p class="quiet small">
                { "All of them give the same answer. post* starts from the initial configurations, \
                    pre* from the target; in turn, they end as soon as they meet." }
            </p>
        </div>
    }
}

fn direction(saturation: Saturation) -> &'static str {
    match saturation {
        Saturation::Post => "post*, forward",
        Saturation::Pre => "pre*, backward",
        Saturation::Both => "both in turn",
    }
}

/// Labels that are errors anyway.
fn default_labels(dialect: Dialect) -> &'static str {
    if dialect == Dialect::BooleanProgram { "SLIC_ERROR, error" } else { "error" }
}

fn panel(props: &Props) -> Html {
    if props.dialect.is_raw() {
        return pushdown_panel(props);
    }
    let change = |edit: fn(&mut RequestedOptions, &str)| {
        let (requested, emit) = (props.requested.clone(), props.on_change.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if !input.report_validity() {
                return;
            }
            let mut next = requested.clone();
            edit(&mut next, &input.value());
            emit.emit(next);
        })
    };
    let bits_changed = change(|o, text| o.bits = text.trim().parse().ok());
    let error_changed = change(|o, text| o.error = text.trim().parse().ok());
    let label_changed =
        change(|o, text| o.label = Some(text.trim().to_string()).filter(|label| !label.is_empty()));
    let macros_changed =
        change(|o, text| o.defines = text.split_whitespace().map(str::to_string).collect());
    let choose = |globals: Globals| {
        let (requested, emit) = (props.requested.clone(), props.on_change.clone());
        Callback::from(move |_: MouseEvent| {
            emit.emit(RequestedOptions { globals: Some(globals), ..requested.clone() })
        })
    };
    let check = |name: &'static str, note: &'static str, on: bool, edit: fn(&mut Checks)| {
        let (requested, emit, now) =
            (props.requested.clone(), props.on_change.clone(), checks(props));
        let toggle = Callback::from(move |_: Event| {
            let mut next = now;
            edit(&mut next);
            emit.emit(RequestedOptions { checks: Some(next), ..requested.clone() });
        });
        html! {
            <label class="check">
                <input type="checkbox" checked={on} onchange={toggle} />
                <span>{ name }<small>{ note }</small></span>
            </label>
        }
    };
    let dialect = props.requested.dialect;
    let reset = props
        .on_change
        .reform(move |_: MouseEvent| RequestedOptions { dialect, ..RequestedOptions::default() });
    let now = checks(props);
    let global = globals(props);
    html! {
        <div class="popover" role="dialog" aria-label="Options">
            if is_c_like(props.dialect) {
            <div class="field">
                <label for="bits">{ "Width of int" }</label>
                <span>
                    <input
                        id="bits"
                        type="number"
                        min="1"
                        max="32"
                        value={bits(props).to_string()}
                        onchange={bits_changed}
                    />
                    { " bits" }
                </span>
            </div>
            if props.dialect == Dialect::C {
                <p class="quiet small">{ width_note(props) }</p>
            }
            <div class="field">
                <span id="globals">{ "Uninitialised globals" }</span>
                <div class="segments" role="group" aria-labelledby="globals">
                    <button
                        class={classes!("segment", (global == Globals::Any).then_some("on"))}
                        aria-pressed={(global == Globals::Any).to_string()}
                        onclick={choose(Globals::Any)}
                    >
                        { "any value" }
                    </button>
                    <button
                        class={classes!("segment", (global == Globals::Zero).then_some("on"))}
                        aria-pressed={(global == Globals::Zero).to_string()}
                        onclick={choose(Globals::Zero)}
                    >
                        { "zero" }
                    </button>
                </div>
            </div>
            <fieldset>
                <legend>{ "Also an error" }</legend>
                { check("bounds", "array index outside", now.bounds, |c| c.bounds = !c.bounds) }
                { check("division", "by zero", now.division, |c| c.division = !c.division) }
                { check("overflow", "signed arithmetic wraps", now.overflow, |c| c.overflow = !c.overflow) }
                { check("race", "unordered accesses of threads", now.race, |c| c.race = !c.race) }
                { check("shift", "by the width or more", now.shift, |c| c.shift = !c.shift) }
                if props.dialect == Dialect::C {
                    { check("leak", "memory that is lost when main ends", now.leak, |c| c.leak = !c.leak) }
                    { check("initialised", "reads without a value", now.initialised, |c| {
                        c.initialised = !c.initialised
                    }) }
                }
            </fieldset>
            }
            if props.dialect == Dialect::C {
                <div class="field">
                    <label for="macros">{ "Macros" }</label>
                    <input
                        id="macros"
                        class="wide"
                        placeholder="NAME NAME=VALUE"
                        value={props.requested.defines.join(" ")}
                        onchange={macros_changed}
                    />
                </div>
            }
            if !is_c_like(props.dialect) {
                <div class="field">
                    <label for="label">{ "Also an error: the label" }</label>
                    <input
                        id="label"
                        class="wide"
                        placeholder={default_labels(props.dialect)}
                        value={props.requested.label.clone().unwrap_or_default()}
                        onchange={label_changed}
                    />
                </div>
            }
            <div class="field">
                <label for="only">{ "Only the error at line" }</label>
                <input
                    id="only"
                    type="number"
                    min="1"
                    placeholder="all"
                    value={props.requested.error.map(|l| l.to_string()).unwrap_or_default()}
                    onchange={error_changed}
                />
            </div>
            { method(props) }
            if is_c_like(props.dialect) {
                <p class="quiet small">
                    { "What the program's first lines say (" }
                    <code>{ "//! bits = 4" }</code>
                    { ") holds until it is changed here." }
                </p>
            }
            if overridden(props) {
                <p class="small overriding">
                    { "Some of these are set here, and override what the program says." }
                </p>
                <button class="link" onclick={reset}>{ "Back to what the program says" }</button>
            }
        </div>
    }
}
