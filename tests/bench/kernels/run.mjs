// `node run.mjs NATIVE name=MODULE.wasm …`: the workload natively, with OxiDD and as WebAssembly, in turn; a table in Markdown of the least
// processor time of some runs. BITS="14 16" and BEST=5 are the defaults.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [native, ...modules] = process.argv.slice(2);
const sizes = (process.env.BITS ?? '14 16').split(' ').map(Number);
const best = Number(process.env.BEST ?? 5);

const compiled = modules.map((argument) => {
  const [name, file] = argument.split('=');
  return { name, module: new WebAssembly.Module(readFileSync(file)) };
});

function spawned(kernel, bits) {
  const { stdout, status, stderr } = spawnSync(native, [kernel, bits], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${native} ${kernel} ${bits}: ${stderr}`);
  const [seconds, images, nodes] = stdout.trim().split(' ').map(Number);
  return { seconds, images, nodes };
}

// A fresh instance, so that no run finds the memory of another one.
function instantiated(module, bits) {
  const { exports } = new WebAssembly.Instance(module);
  const before = process.cpuUsage();
  const images = exports.images(bits);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, images };
}

console.log(`Least of ${best} runs in turn, seconds of processor time, Node ${process.version}.\n`);
console.log('| bits | images | nodes | Faultline | OxiDD 0.13 | ÷ OxiDD |' + compiled.map(({ name }) => ` ${name} | ÷ native |`).join(''));
console.log('| --- | --- | --- | --- | --- | --- |' + compiled.map(() => ' --- | --- |').join(''));
for (const bits of sizes) {
  const kernels = [() => spawned('faultline', bits), () => spawned('oxidd', bits), ...compiled.map(({ module }) => () => instantiated(module, bits))];
  const least = kernels.map(() => null);
  for (let k = 0; k < best; k++) {
    kernels.forEach((run, i) => {
      const result = run();
      if (least[i] === null || result.seconds < least[i].seconds) least[i] = result;
    });
  }
  const [ours, oxidd, ...wasm] = least;
  if (least.some(({ images }) => images !== ours.images)) throw new Error(`the kernels disagree: ${least.map(({ images }) => images).join(', ')} images`);
  const columns = [bits, ours.images, ours.nodes, ours.seconds.toFixed(3), oxidd.seconds.toFixed(3), (ours.seconds / oxidd.seconds).toFixed(2)];
  for (const { seconds } of wasm) columns.push(seconds.toFixed(3), (seconds / ours.seconds).toFixed(2));
  console.log(`| ${columns.join(' | ')} |`);
}
