//! The header of an instance, and the array around its parts.

use super::reader::shown;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::raw::RawWeights;
use crate::lang::raw::json::{Json, Value};

/// The array of an instance: the whole text, or the value of `instance`.
pub(super) fn enclosed<'v>(whole: Value<'v>, diagnostics: &mut Diagnostics) -> Option<Value<'v>> {
    let Json::Object(entries) = whole.json() else { return Some(whole) };
    let mut instance = None;
    for (key, value) in entries {
        match key.text().as_ref() {
            "instance" if instance.is_none() => instance = Some(value),
            "instance" => {
                diagnostics.error(key.span(), "a second `instance`", "only one can be read")
            }
            name => {
                let message = format!("`{}` beside the instance is not looked at", shown(name));
                diagnostics.warning(key.span(), message, "only `instance` counts");
            }
        }
    }
    if instance.is_none() {
        diagnostics.error(
            whole.span(),
            "there is no `instance`",
            "write `{\"instance\": [header, system, initial, final]}`, or the array alone",
        );
    }
    instance
}

/// Reads whether states have names, and the kind of the weights. The kind is `None` if it was
/// refused.
pub(super) fn read_header(
    header: Value,
    diagnostics: &mut Diagnostics,
) -> (bool, Option<RawWeights>) {
    let Json::Object(entries) = header.json() else {
        let message = format!("the header is {}, not an object", header.kind());
        diagnostics.error(
            header.span(),
            message,
            "write `{\"state-names\": true, \"weight-type\": \"none\"}`",
        );
        return (true, None);
    };
    let (mut named, mut weights) = (None, Some(RawWeights::Boolean));
    for (key, value) in entries {
        match (key.text().as_ref(), value.json()) {
            ("state-names", Json::Truth(truth)) => named = Some(truth),
            ("state-names", _) => {
                diagnostics.error(
                    value.span(),
                    format!("`state-names` is {}", value.kind()),
                    "write true or false",
                );
            }
            ("weight-type", Json::Text(none)) if none == "none" => {
                weights = Some(RawWeights::Boolean)
            }
            ("weight-type", Json::Text(number)) if number == "uint" || number == "int" => {
                weights = Some(RawWeights::MinPath)
            }
            ("weight-type", other) => {
                let which = match other {
                    Json::Text(name) => format!("weights `{}`", shown(&name)),
                    Json::Array(_) => "vectors of weights".to_string(),
                    _ => format!("`weight-type` {}", value.kind()),
                };
                weights = None;
                let message = format!("{which} are not analysed");
                let hint = "write `\"weight-type\": \"uint\"` for natural numbers, or `\"none\"` and leave the rules' weights out";
                diagnostics.error(value.span(), message, hint);
            }
            (other, _) => diagnostics.warning(
                key.span(),
                format!("`{}` in the header is not looked at", shown(other)),
                "known are `state-names` and `weight-type`",
            ),
        }
    }
    let named = named.unwrap_or_else(|| {
        if !diagnostics.has_errors() {
            diagnostics.error(
                header.span(),
                "the header does not say whether states have names",
                "add `\"state-names\": true`, or false",
            );
        }
        true
    });
    (named, weights)
}
