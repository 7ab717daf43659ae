# Two commands on a fresh machine with Rust, Node and make: `make serve` and `make test`. Both
# install what is missing first.

.PHONY: help serve test page package vscode native browser bench install clean

help:
	@echo "make serve    install what is missing, build the page, serve it on localhost (PORT=…)"
	@echo "make test     install what is missing, pass every test: engine, command line, page"
	@echo "make page     build the page into dist/"
	@echo "make package  build the npm package into target/package"
	@echo "make vscode   build the extension for VS Code into target/vscode"
	@echo "make native   only the tests of engine and command line"
	@echo "make browser  only the tests of the page that is in dist/"
	@echo "make bench    measure kernel and analyses; tables in Markdown"
	@echo "make install  only install what is missing"

serve test page package vscode native browser bench install:
	@.ci/task $@

clean:
	rm -rf dist target static/editor/dist static/editor/node_modules static/vscode/node_modules tests/browser/node_modules
