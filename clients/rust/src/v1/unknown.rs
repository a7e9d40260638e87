use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::known;

/// Where an answer has fields that this build's contract lacks (SPEC.md, A21).
///
/// Prost drops such fields, and some of them restrict when to write. So they are looked for in the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// The fence has one.
    pub fence: bool,
    /// The stages, by place, that have one in the stage, a step, a target, a precondition, or an owner that an action adds.
    pub stages: Vec<usize>,
}

impl Unknown {
    /// Looks through a `PlanResponse`, which prost has decoded.
    #[must_use]
    pub fn of(response: &[u8]) -> Self {
        let mut found = Self::default();
        let mut stage = 0;
        for plan in fields(response).filter(|field| field.number == 1) {
            for field in fields(plan.content) {
                match field.number {
                    1 => found.fence |= has_unknown("Fence", field.content, &["Fence"]),
                    2 => {
                        if has_unknown("Stage", field.content, &["Stage", "Step", "Target", "Precondition", "OwnerReference"]) {
                            found.stages.push(stage);
                        }
                        stage += 1;
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// Reports whether a message, or one inside it, is one of these and has an unknown field.
fn has_unknown(message: &str, content: &[u8], guards: &[&str]) -> bool {
    let known = known::fields(message);
    fields(content).any(|field| match known.iter().find(|(number, _)| *number == field.number) {
        None => guards.contains(&message),
        Some((_, inside)) => !inside.is_empty() && has_unknown(inside, field.content, guards),
    })
}

struct Field<'a> {
    number: u32,
    /// The bytes of a message or a text; empty for other fields.
    content: &'a [u8],
}

/// Walks the fields of a message, and ends where it is malformed.
fn fields(mut rest: &[u8]) -> impl Iterator<Item = Field<'_>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (number, wire) = decode_key(&mut rest).ok()?;
        if wire == WireType::LengthDelimited {
            let length = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
            let (content, after) = rest.split_at_checked(length)?;
            rest = after;
            return Some(Field { number, content });
        }
        skip_field(wire, number, &mut rest, DecodeContext::default()).ok()?;
        Some(Field { number, content: &[] })
    })
}
