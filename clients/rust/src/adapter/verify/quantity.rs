//! Quantities, read exactly: 1Gi, 1024Mi and 1073741824 are the same.

const LONGEST: usize = 64;
const LARGEST_EXPONENT: i32 = 30;

const BINARY: [(&str, u32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// A number in one form: its decimal digits, the last one first, without zeros at the ends, and the power of ten of that one.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Quantity {
    digits: Vec<u128>,
    power: i32,
}

impl Quantity {
    /// Reads a text; `None` for one that is no quantity, or negative.
    pub fn of(text: &str) -> Option<Self> {
        let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if text.len() > LONGEST || part.contains('.') || whole.len() + part.len() == 0 {
            return None;
        }
        let mut digits: Vec<u128> = [whole, part].concat().bytes().rev().map(|digit| u128::from(digit - b'0')).collect();
        let mut power = -i32::try_from(part.len()).ok()?;
        if let Some((_, bits)) = BINARY.iter().find(|(name, _)| *name == suffix) {
            digits = multiplied(&digits, 1 << bits);
        } else {
            power += power_of(suffix)?;
        }
        Some(Self { digits, power }.in_one_form())
    }

    fn in_one_form(mut self) -> Self {
        let kept = self.digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        self.digits.truncate(kept);
        let Some(zeros) = self.digits.iter().position(|digit| *digit != 0) else { return Self::default() };
        Self { digits: self.digits.split_off(zeros), power: self.power + i32::try_from(zeros).unwrap_or_default() }
    }
}

/// Multiplies decimal digits, the last one first.
fn multiplied(digits: &[u128], by: u128) -> Vec<u128> {
    let mut out = Vec::new();
    let mut carry = 0;
    let mut rest = digits.iter();
    loop {
        let digit = rest.next();
        if digit.is_none() && carry == 0 {
            return out;
        }
        carry += digit.unwrap_or(&0) * by;
        out.push(carry % 10);
        carry /= 10;
    }
}

/// Returns the power of ten of a suffix; `None` for one that no quantity has.
fn power_of(suffix: &str) -> Option<i32> {
    if let Some((_, power)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some(*power);
    }
    let power: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    (-LARGEST_EXPONENT..=LARGEST_EXPONENT).contains(&power).then_some(power)
}

/// Reports whether two texts are the same quantity. No text is as good as zero.
pub(super) fn is_same_quantity(a: &str, b: &str) -> bool {
    let read = |text: &str| Quantity::of(if text.is_empty() { "0" } else { text });
    matches!((read(a), read(b)), (Some(a), Some(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::is_same_quantity;

    #[test]
    fn quantities_compare_as_numbers() {
        for (a, b, same, reason) in [
            ("1Gi", "1024Mi", true, "powers of two"),
            ("1Gi", "1073741824", true, "and none"),
            ("1G", "1Gi", false, "powers of ten are others"),
            ("1G", "1e9", true, "an exponent"),
            ("1E", "1e18", true, "E alone is a suffix"),
            ("1E3", "1k", true, "and with digits an exponent"),
            ("1e+3", "1k", true, "which may have a sign"),
            ("100m", "0.1", true, "parts"),
            ("100m", ".1", true, "without a zero"),
            ("1.", "1", true, "or without a digit behind the point"),
            ("1e-3", "1m", true, "a negative exponent"),
            ("2.0", "2", true, "numbers as JSON has them"),
            ("0.5Gi", "512Mi", true, "parts of powers of two"),
            ("9007199254740993", "9007199254740992", false, "more digits than a float64 keeps"),
            (
                "99999999999999999999999999999999999999999999999999999999999999Ei",
                "1",
                false,
                "more digits than any number of the machine",
            ),
            ("", "0", true, "nothing is zero"),
            ("0Ki", "0e7", true, "however it is written"),
            ("", "1", false, "and not more"),
            ("-1", "-1", false, "nobody may ask for less than nothing"),
            ("1e999999999", "1e999999999", false, "nobody reads that much"),
            ("1/2", "0.5", false, "no fraction"),
            ("0x1", "1", false, "no other digits"),
            ("1_0", "10", false, "no ornament"),
            ("1 Gi", "1Gi", false, "no blanks"),
            ("Gi", "Gi", false, "no number"),
            (".", ".", false, "nor here"),
            ("1.2.3", "1.2.3", false, "no two points"),
            ("1KiB", "1KiB", false, "no such suffix"),
            ("1é", "1é", false, "nor this one"),
            ("1e", "1e", false, "no exponent"),
        ] {
            assert_eq!(is_same_quantity(a, b), same, "{reason}: {a:?} and {b:?}");
        }
    }
}
