//! Enumerations whose values have a stable word: in JSON, in links, on the command line.

/// Defines such an enumeration. Serde writes and reads a value as its word.
///
/// `Type::ALL` lists the values in order, `word` gives the word of a value, `from_word` the value
/// of a word.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$value_meta:meta])* $value:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $($(#[$value_meta])* #[serde(rename = $word)] $value,)+
        }

        impl $name {
            /// All values, in order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            /// The stable word.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)+
                }
            }

            /// The value of this word.
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|value| value.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use crate::util::Stage;

    #[test]
    fn words_are_written_and_read_back() {
        for value in Stage::ALL {
            assert_eq!(Stage::from_word(value.word()), Some(value));
            let json = serde_json::to_string(&value).expect("a word");
            assert_eq!(json, format!("\"{value}\""));
            assert_eq!(serde_json::from_str::<Stage>(&json).expect("read back"), value);
        }
        assert_eq!(Stage::Shortest.word(), "shortest run");
        assert_eq!(Stage::from_word("third"), None);
    }
}
