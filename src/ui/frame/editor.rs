//! The editor as a component; CodeMirror itself lives in `static/editor` behind
//! `window.FaultlineEditor`.

use crate::ui::state::paint::{Document, Paint};
use crate::ui::state::shared::Shared;
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::diagnostic::Severity;
use crate::wire::options::Dialect;
use crate::wire::report::Note;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The handle that `FaultlineEditor.create` returns.
    type Handle;
    #[wasm_bindgen(js_namespace = FaultlineEditor, js_name = create)]
    fn create(host: &web_sys::Element, options: &JsValue) -> Handle;
    #[wasm_bindgen(method, js_name = setLanguage)]
    fn set_language(this: &Handle, name: &str);
    #[wasm_bindgen(method, js_name = setText)]
    fn set_text(this: &Handle, text: &str);
    #[wasm_bindgen(method, js_name = setDiagnostics)]
    fn set_diagnostics(this: &Handle, items: &JsValue);
    #[wasm_bindgen(method, js_name = setPaint)]
    fn set_paint(this: &Handle, lit: &[u32], dim: &[u32], fails: u32, note: &str);
    #[wasm_bindgen(method, js_name = setCross)]
    fn set_cross(this: &Handle, lines: &[u32]);
    #[wasm_bindgen(method, js_name = setCauses)]
    fn set_causes(this: &Handle, lines: &[u32]);
    #[wasm_bindgen(method)]
    fn edit(this: &Handle, text: &str);
    #[wasm_bindgen(method, js_name = setSlice)]
    fn set_slice(this: &Handle, lines: &[u32]);
    #[wasm_bindgen(method, js_name = setCurrent)]
    fn set_current(this: &Handle, line: u32);
    #[wasm_bindgen(method, js_name = setSelected)]
    fn set_selected(this: &Handle, line: u32);
    #[wasm_bindgen(method, js_name = setValues)]
    fn set_values(this: &Handle, line: u32, text: &str);
    #[wasm_bindgen(method, js_name = setHover)]
    fn set_hover(this: &Handle, line: u32);
    #[wasm_bindgen(method, js_name = setLent)]
    fn set_lent(this: &Handle, on: bool);
    #[wasm_bindgen(method)]
    fn reveal(this: &Handle, line: u32);
    #[wasm_bindgen(method)]
    fn destroy(this: &Handle);
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) document: Shared<Document>,
    /// What is highlighted.
    pub(crate) dialect: Dialect,
    pub(crate) diagnostics: Shared<Vec<DiagnosticView>>,
    /// What is marked beside its line, and is no error.
    pub(crate) notes: Vec<Note>,
    pub(crate) paint: Shared<Paint>,
    /// Lines of the slice, if it is shown.
    pub(crate) slice: Vec<u32>,
    pub(crate) current: u32,
    pub(crate) selected: u32,
    pub(crate) hover: u32,
    /// A line, and what stands behind it; 0: none.
    pub(crate) values: (u32, String),
    /// Scroll this line into view, whenever the second number changes.
    pub(crate) reveal: (u32, u32),
    pub(crate) read_only: bool,
    /// The text is lent for a first look: a paste replaces all of it.
    pub(crate) lent: bool,
    /// The new text, and whether it was pasted into an empty editor.
    pub(crate) on_change: Callback<(String, bool)>,
    /// The whole program is about to be replaced by a pasted one.
    pub(crate) on_replaced: Callback<()>,
    pub(crate) on_cursor: Callback<u32>,
}

/// One host element; everything inside is CodeMirror's.
pub(crate) struct Editor {
    host: NodeRef,
    mounted: Option<Mounted>,
}

struct Mounted {
    handle: Handle,
    _on_change: Closure<dyn FnMut(String, bool, bool)>,
    _on_cursor: Closure<dyn FnMut(u32)>,
}

impl Component for Editor {
    type Message = ();
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Editor { host: NodeRef::default(), mounted: None }
    }

    fn view(&self, _: &Context<Self>) -> Html {
        html! { <div class="editor" ref={self.host.clone()}></div> }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        if let Some(mounted) = &self.mounted {
            apply(&mounted.handle, ctx.props(), Some(old));
        }
        false
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let (true, Some(host)) = (first, self.host.cast::<web_sys::Element>()) else { return };
        let props = ctx.props();
        let (change, replace, cursor) =
            (props.on_change.clone(), props.on_replaced.clone(), props.on_cursor.clone());
        let on_change =
            Closure::<dyn FnMut(String, bool, bool)>::new(move |text, pasted, replaced| {
                if replaced {
                    replace.emit(());
                }
                change.emit((text, pasted));
            });
        let on_cursor = Closure::<dyn FnMut(u32)>::new(move |line| cursor.emit(line));
        let options = js_sys::Object::new();
        let set = |key: &str, value: &JsValue| {
            // A plain object takes every key.
            let _ = js_sys::Reflect::set(&options, &key.into(), value);
        };
        set("doc", &props.document.text.as_str().into());
        set("language", &props.dialect.extension().into());
        set("readOnly", &props.read_only.into());
        set("label", &"Program".into());
        set("placeholder", &"Paste a program, or drop a file".into());
        set("onChange", on_change.as_ref().unchecked_ref());
        set("onCursor", on_cursor.as_ref().unchecked_ref());
        let handle = create(&host, &options);
        apply(&handle, props, None);
        self.mounted = Some(Mounted { handle, _on_change: on_change, _on_cursor: on_cursor });
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(mounted) = self.mounted.take() {
            mounted.handle.destroy();
        }
    }
}

/// Brings the editor from the old properties to the new ones.
fn apply(handle: &Handle, new: &Props, old: Option<&Props>) {
    if old.is_some_and(|o| o.document.version != new.document.version) {
        match new.document.edited {
            true => handle.edit(&new.document.text),
            false => handle.set_text(&new.document.text),
        }
    }
    if old.is_some_and(|o| o.dialect != new.dialect) {
        handle.set_language(new.dialect.extension());
    }
    if old.is_none_or(|o| o.diagnostics != new.diagnostics || o.notes != new.notes) {
        handle.set_diagnostics(&marks(&new.diagnostics, &new.notes));
    }
    if old.is_none_or(|o| o.paint != new.paint) {
        let paint = &new.paint;
        handle.set_cross(&paint.cross);
        handle.set_causes(&paint.causes);
        let note = if new.dialect.is_raw() { "reached" } else { "fails here" };
        handle.set_paint(
            &paint.lit,
            &paint.dim,
            paint.fails,
            if paint.fails > 0 { note } else { "" },
        );
    }
    if old.is_none_or(|o| o.slice != new.slice) {
        handle.set_slice(&new.slice);
    }
    if old.is_none_or(|o| o.current != new.current) {
        handle.set_current(new.current);
    }
    if old.is_none_or(|o| o.selected != new.selected) {
        handle.set_selected(new.selected);
    }
    if old.is_none_or(|o| o.values != new.values) {
        handle.set_values(new.values.0, &new.values.1);
    }
    if old.is_none_or(|o| o.hover != new.hover) {
        handle.set_hover(new.hover);
    }
    if old.is_none_or(|o| o.lent != new.lent) {
        handle.set_lent(new.lent);
    }
    if new.reveal.0 > 0 && old.is_none_or(|o| o.reveal != new.reveal) {
        handle.reveal(new.reveal.0);
    }
}

/// What stands in the gutter: diagnostics, and notes by their lines.
fn marks(found: &[DiagnosticView], notes: &[Note]) -> JsValue {
    let items = js_sys::Array::new();
    for note in notes {
        let item = js_sys::Object::new();
        for (key, value) in [
            ("line", JsValue::from(note.line)),
            ("severity", "info".into()),
            ("message", JsValue::from(&note.text)),
        ] {
            let _ = js_sys::Reflect::set(&item, &key.into(), &value);
        }
        items.push(&item);
    }
    for d in found {
        let item = js_sys::Object::new();
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let message = if d.hint.is_empty() {
            d.message.clone()
        } else {
            format!("{}\n{}", d.message, d.hint)
        };
        for (key, value) in [
            ("from", d.from.into()),
            ("to", d.to.into()),
            ("severity", severity.into()),
            ("message", JsValue::from(message)),
        ] {
            let _ = js_sys::Reflect::set(&item, &key.into(), &value);
        }
        if let Some(edit) = &d.edit {
            let change = js_sys::Object::new();
            for (key, value) in [
                ("from", edit.from.into()),
                ("to", edit.to.into()),
                ("insert", JsValue::from(&edit.text)),
                ("label", edit.label().into()),
            ] {
                let _ = js_sys::Reflect::set(&change, &key.into(), &value);
            }
            let _ = js_sys::Reflect::set(&item, &"edit".into(), &change);
        }
        items.push(&item);
    }
    items.into()
}
