// `node run.mjs NATIVE name=BINARY … name=MODULE.wasm …`: the workload natively, with OxiDD, with
// kernels in C (`others`) and as WebAssembly, in turn; a table in Markdown of the least processor
// time of some runs. BITS="14 16" and BEST=5 are the defaults.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [native, ...others] = process.argv.slice(2);
const isModule = (argument) => argument.endsWith('.wasm');
const sizes = (process.env.BITS ?? '14 16').split(' ').map(Number);
const best = Number(process.env.BEST ?? 5);

const inC = others.filter((argument) => !isModule(argument)).map((argument) => argument.split('='));
const compiled = others.filter(isModule).map((argument) => {
  const [name, file] = argument.split('=');
  return { name, module: new WebAssembly.Module(readFileSync(file)) };
});

// `first`: in a fresh process or instance, which finds no code compiled for speed and no memory;
// `second`: in the same one again, as an analysis in a page that has been open for a while.
function spawned(binary, ...words) {
  const { stdout, status, stderr } = spawnSync(binary, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${binary} ${words.join(' ')}: ${stderr}`);
  const [first, second, images, nodes] = stdout.trim().split(' ').map(Number);
  return { first, second, images, nodes };
}

function instantiated(module, bits) {
  const { exports } = new WebAssembly.Instance(module);
  const run = () => {
    const before = process.cpuUsage();
    const images = exports.images(bits);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / 1e6, images };
  };
  const first = run().seconds;
  const { seconds: second, images } = run();
  return { first, second, images };
}

console.log(`Least of ${best} runs in turn, seconds of processor time, Node ${process.version}; first and second run in one process or instance.\n`);
const names = ['OxiDD 0.13', ...inC.map(([name]) => name)];
const columns = [...names, '÷ best', ...compiled.flatMap(({ name }) => [name, '÷ native'])];
console.log(`| bits | images | nodes | run | Faultline | ${columns.join(' | ')} |`);
console.log(`|${' --- |'.repeat(5 + columns.length)}`);
for (const bits of sizes) {
  const kernels = [
    () => spawned(native, 'faultline', bits),
    () => spawned(native, 'oxidd', bits),
    ...inC.map(([, binary]) => () => spawned(binary, bits)),
    ...compiled.map(({ module }) => () => instantiated(module, bits)),
  ];
  const least = kernels.map(() => null);
  for (let k = 0; k < best; k++) {
    kernels.forEach((run, i) => {
      const result = run();
      const sofar = least[i] ?? result;
      least[i] = { ...result, first: Math.min(sofar.first, result.first), second: Math.min(sofar.second, result.second) };
    });
  }
  const [ours, ...rest] = least;
  if (least.some(({ images }) => images !== ours.images)) throw new Error(`the kernels disagree: ${least.map(({ images }) => images).join(', ')} images`);
  const [rivals, wasm] = [rest.slice(0, names.length), rest.slice(names.length)];
  for (const run of ['first', 'second']) {
    const quickest = Math.min(...rivals.map((kernel) => kernel[run]));
    const cells = [bits, ours.images, ours.nodes, run, ours[run].toFixed(3), ...rivals.map((kernel) => kernel[run].toFixed(3)), (ours[run] / quickest).toFixed(2)];
    for (const kernel of wasm) cells.push(kernel[run].toFixed(3), (kernel[run] / ours[run]).toFixed(2));
    console.log(`| ${cells.join(' | ')} |`);
  }
}
