//! Links that open a program in the page, behind an answer for people.

use super::arguments::{Common, Format};
use super::console;
use crate::wire::permalink::{Permalink, PermalinkError, encode};

/// Prints the link that `--link` asks for: the program with its options, on a tab of the page that
/// stands at this address. Nothing where nobody asks, or where the answer is for scripts.
pub(super) fn print(common: &Common, tab: &str) -> Result<(), String> {
    let Some(address) = common.link.as_ref().filter(|_| common.format == Format::Text) else {
        return Ok(());
    };
    let source = console::source(common)?;
    let link = Permalink {
        source,
        options: common.requested(),
        view: tab.to_string(),
        ..Permalink::default()
    };
    match addressed(address, &link) {
        Ok(link) => console::print(&format!("\nOpen in the page: {link}\n")),
        Err(PermalinkError::TooLong) => {
            Err("faultline: the program is too long for a link\n".to_string())
        }
        Err(_) => Err("faultline: there is no link to this program\n".to_string()),
    }
}

/// The link behind the page's address.
pub(super) fn addressed(address: &str, link: &Permalink) -> Result<String, PermalinkError> {
    Ok(format!("{}#{}", address.trim_end_matches('#'), encode(link)?))
}

/// Refuses a link to what cannot be read twice.
pub(super) fn refuse_stdin(common: &Common) -> Result<(), String> {
    if common.link.is_some() && common.file.as_os_str() == "-" {
        return Err("faultline: --link needs a file, standard input is read once\n".to_string());
    }
    Ok(())
}
