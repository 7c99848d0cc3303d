//! The format version: any 1.x. ChatKit's own readers only accept the string "1.0".

use widgetcast_engine::error::{Error, Kind, Result};

/// Checks a version, given as JSON.
pub(super) fn check(json: &str) -> Result<()> {
    match is_one(json) {
        true => Ok(()),
        false => Err(Error::new(
            Kind::Version,
            format!("version {json} is not supported; use \"1.0\" or another 1.x version"),
        )),
    }
}

/// Whether a version means 1.0 but is written in a way that other readers reject. Unquoted YAML is fine.
pub(super) fn is_odd(json: &str, is_yaml: bool) -> bool {
    let is_zero = |part: &str| part.bytes().all(|digit| digit == b'0');
    is_one(json)
        && parts(json).skip(1).all(is_zero)
        && json != "\"1.0\""
        && !(is_yaml && json == "1.0")
}

/// Whether this is 1, or 1 with further numbers after dots, as a string or a number.
fn is_one(json: &str) -> bool {
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    parts(json).next() == Some("1") && parts(json).all(is_number)
}

fn parts(json: &str) -> std::str::Split<'_, char> {
    let text = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    text.unwrap_or(json).split('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_1_is_known() {
        for good in ["\"1.0\"", "\"1.1\"", "\"1\"", "\"1.0.0\"", "\"1.12.3\"", "1", "1.0", "1.1"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in
            ["\"2.0\"", "2", "\"1.\"", "\"1.x\"", "\"\"", "null", "true", "[1]", "10", "\"v1\""]
        {
            let error = check(bad).expect_err(bad);
            assert_eq!(error.kind(), Kind::Version);
            assert!(error.message().contains(bad), "{error}");
        }
    }

    #[test]
    fn other_ways_to_write_1_0_are_odd() {
        for odd in ["\"1.0.0\"", "\"1\"", "1", "\"1.00\""] {
            assert!(is_odd(odd, false) && is_odd(odd, true), "{odd}");
        }
        assert!(is_odd("1.0", false) && !is_odd("1.0", true));
        for plain in ["\"1.0\"", "\"1.1\"", "1.1", "\"2.0\""] {
            assert!(!is_odd(plain, false) && !is_odd(plain, true), "{plain}");
        }
    }
}
