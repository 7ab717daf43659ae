//! Writes the witness that `--witness FILE` asks for.

use super::arguments::Common;
use super::console;
use crate::report::Origin;
use crate::report::witness;
use crate::session::Session;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes it; of a verdict that has none, says so on standard error. The error is a message: the
/// file cannot be written.
pub(super) fn write(common: &Common, path: &Path, session: &mut Session) -> Result<(), String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let origin = Origin {
        file_name: common.file.to_string_lossy().into_owned(),
        creation_time: iso_8601(seconds),
    };
    let Some(text) = witness(session, &origin) else {
        console::tell("faultline: there is no witness for this verdict; nothing is written\n");
        return Ok(());
    };
    std::fs::write(path, text)
        .map_err(|error| format!("faultline: cannot write {}: {error}\n", path.display()))
}

/// A time such as `2026-01-31T12:00:00Z`, by Howard Hinnant's `civil_from_days` (years start in
/// March).
fn iso_8601(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    )
}

#[cfg(test)]
mod tests {
    use super::iso_8601;

    #[test]
    fn dates() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_234_567_890), "2009-02-13T23:31:30Z");
    }
}
