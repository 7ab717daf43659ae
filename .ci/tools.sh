# What the build needs beside Rust, Node and make: found where it is, installed where it is missing.
#
# Sourced by the scripts beside it. Every `need_*` checks first and is silent and quick when there
# is nothing to do. What it installs goes into a cache outside the tree, so that a fresh clone finds
# it: $FAULTLINE_CACHE, by default ~/.cache/faultline.

# Pinned, so that every machine builds and checks alike.
TRUNK_VERSION=0.21.14
WASM_BINDGEN_VERSION=0.2.130 # the same as the crate's, in Cargo.toml
CARGO_DENY_VERSION=0.20.2
NODE_MAJOR=20

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${FAULTLINE_CACHE:-$HOME/.cache/faultline}
TOOLS=$CACHE/tools

[ -d "$HOME/.cargo/bin" ] && PATH=$PATH:$HOME/.cargo/bin
PATH=$TOOLS/bin:$ROOT/static/editor/node_modules/.bin:$PATH
export PATH TRUNK_SKIP_VERSION_CHECK=true

# A fresh clone in CI builds on what the last one left behind; at a desk, the target directory is
# cargo's usual one. Nobody runs a debugger in CI, and a panic names its line without tables.
if [ "${CI:-}" = true ] && [ -z "${CARGO_TARGET_DIR:-}" ]; then
  export CARGO_TARGET_DIR=$CACHE/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
  "$ROOT/.ci/times" "$CARGO_TARGET_DIR/times"
fi

say() { printf '\n» %s\n' "$*"; }
die() { printf '\n✗ %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt_install REASON PACKAGE…: Debian and its kin, as root or by sudo.
apt_install() {
  local reason=$1 as_root=
  shift
  have apt-get || die "$reason is missing. Install it with your system's package manager ($*) and try again."
  if [ "$(id -u)" -ne 0 ]; then
    have sudo || die "$reason is missing, and installing it needs root. Run as root: apt-get install $*"
    as_root=sudo
  fi
  say "Installing $reason: apt-get install $*"
  $as_root apt-get update -q </dev/null || say "apt-get update failed; trying with the lists that are there"
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends "$@" </dev/null || die "apt-get could not install $*"
}

need_rust() {
  have cargo || die "Rust is missing: install it with rustup (https://rustup.rs), then try again."
  have cc || apt_install "a C compiler (Rust's linker)" gcc libc6-dev
}

need_node() {
  have node && have npm || die "Node.js $NODE_MAJOR or newer is missing: install it with its npm, then try again."
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge "$NODE_MAJOR" ] || die "Node.js is version $major here; the build needs $NODE_MAJOR or newer."
}

need_wasm_target() {
  [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ] && return
  have rustup || die "This Rust has no wasm32-unknown-unknown standard library and there is no rustup to add it."
  say "Adding Rust's WebAssembly target: rustup target add wasm32-unknown-unknown"
  rustup target add wasm32-unknown-unknown || die "rustup could not add the target wasm32-unknown-unknown"
}

# need_component COMMAND COMPONENT: rustfmt and clippy, which a minimal Rust lacks.
need_component() {
  cargo "$1" --version >/dev/null 2>&1 && return
  have rustup || die "cargo $1 is missing and there is no rustup to add it."
  say "Adding $2: rustup component add $2"
  rustup component add "$2" || die "rustup could not add $2"
}

# is_version COMMAND VERSION: is the one on PATH exactly that?
is_version() { have "$1" && [ "$("$1" --version 2>/dev/null | awk '{ print $2; exit }')" = "$2" ]; }

# install_tool OPT_LEVEL CRATE VERSION FLAG…: the tools run for seconds, so they are built quickly
# instead of well: trunk's own release profile takes minutes to optimize across crates. The target
# directory is the cache's, so that an interrupted build goes on where it was.
install_tool() (
  local level=$1 crate=$2 version=$3
  shift 3
  local install=(cargo install --root "$TOOLS" --force "$crate" --version "$version" "$@")
  export CARGO_TARGET_DIR=$CACHE/tools-target CARGO_PROFILE_RELEASE_OPT_LEVEL=$level CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_DEBUG=0
  "${install[@]}" --locked </dev/null && return
  # A crate's lock file may name versions of its dependencies that can no longer be had.
  say "Trying again without the versions that $crate was locked to"
  "${install[@]}" </dev/null || die "cargo install $crate failed"
)

need_trunk() {
  is_version trunk $TRUNK_VERSION && return
  say "Installing trunk $TRUNK_VERSION (builds the page) into $TOOLS: some 2 minutes, once"
  install_tool 0 trunk $TRUNK_VERSION --no-default-features --features rustls
}

need_wasm_bindgen() {
  is_version wasm-bindgen $WASM_BINDGEN_VERSION && return
  say "Installing wasm-bindgen-cli $WASM_BINDGEN_VERSION into $TOOLS: some 2 minutes, once"
  install_tool 1 wasm-bindgen-cli $WASM_BINDGEN_VERSION
}

need_cargo_deny() {
  is_version cargo-deny $CARGO_DENY_VERSION && return
  say "Installing cargo-deny $CARGO_DENY_VERSION (checks the crates) into $TOOLS: some 2 minutes, once"
  install_tool 0 cargo-deny $CARGO_DENY_VERSION
}

# need_npm DIRECTORY WHAT: npm ci, unless its last run was for this very lock file. No package runs
# scripts of its own: what the build needs works without them.
need_npm() {
  local lock=$ROOT/$1/package-lock.json stamp=$ROOT/$1/node_modules/.installed-lock.json
  cmp -s "$lock" "$stamp" && return
  say "Installing $2: npm ci in $1"
  (cd "$ROOT/$1" && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error </dev/null) || die "npm ci failed in $1"
  cp "$lock" "$stamp"
}

# The crates that Cargo.lock names, for the native build and for the page.
need_crates() {
  local targets
  targets="--target $(rustc -vV | awk '/^host:/ { print $2 }') --target wasm32-unknown-unknown"
  # shellcheck disable=SC2086
  cargo fetch -q --locked --offline $targets 2>/dev/null && return
  say "Fetching the crates that Cargo.lock names"
  # shellcheck disable=SC2086
  cargo fetch --locked $targets </dev/null || die "cargo could not fetch the crates of Cargo.lock"
}

# Sets and exports CHROMIUM. The shell is Chromium without windows, tabs and menus; the tests take
# half the time in it.
need_chromium() {
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || die "CHROMIUM is set to $CHROMIUM, which is not a program."
    export CHROMIUM
    return
  fi
  if [ "${CI:-}" = true ] && ! have chromium-headless-shell && have apt-get; then
    (apt_install "Chromium's shell (for the browser tests)" chromium-headless-shell) || say "Going on without Chromium's shell"
  fi
  find_chromium || { apt_install "Chromium (for the browser tests)" chromium; find_chromium; } || die "No Chromium found; set CHROMIUM to one."
  export CHROMIUM
}

find_chromium() {
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    CHROMIUM=$(command -v "$name") && return
  done
  CHROMIUM=
  return 1
}

# What compiles the page; what makes a page of that; everything for the tests.
need_compiler() {
  need_rust
  need_node
  need_wasm_target
  need_crates
}

need_bundler() {
  need_trunk
  need_wasm_bindgen
  need_npm static/editor "the editor and wasm-opt"
  have wasm-opt || die "wasm-opt is missing though static/editor should bring it: remove static/editor/node_modules and try again."
}

need_tests() {
  need_compiler
  need_bundler
  need_npm tests/browser "what drives the browser"
  need_chromium
}
