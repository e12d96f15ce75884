//! Foreign words, made harmless: stripped of what a screen would obey and a reader would not see, and bounded.

/// Characters that steer a terminal, hide text or turn its direction.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// One line of at most so many characters.
pub(crate) fn line(text: &str, most_chars: usize) -> String {
    let spaced = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c });
    spaced.filter(|c| !is_unseen(*c)).take(most_chars).collect::<String>().trim().to_owned()
}

/// Lines of at most so many characters together, and whether more was there.
pub(crate) fn lines(text: &str, most_chars: usize) -> (String, bool) {
    let mut kept = text.chars().filter(|c| *c == '\n' || !is_unseen(*c));
    let head: String = kept.by_ref().take(most_chars).collect();
    (head, kept.next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// what steers a screen or hides from a reader is gone, and lengths are bounded.
    #[test]
    fn r_032_words_are_stripped_and_bounded() {
        assert_eq!(line("a\u{1b}[2J\nb\u{202e}c\u{200b}\u{e0041}d\0", 99), "a[2J bcd");
        assert_eq!(line(&"é".repeat(50), 10), "é".repeat(10));
        assert_eq!(lines("a\r\nb\u{7}", 99), ("a\nb".to_owned(), false));
        assert_eq!(lines("abcdef", 3), ("abc".to_owned(), true));
    }
}
