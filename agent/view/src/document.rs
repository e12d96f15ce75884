//! A page in one file: no script, nothing from anywhere, and what strangers wrote is text.

use std::fmt::Write as _;

/// Text as a page or a drawing may show it.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            sign if sign.is_control() => {}
            sign => safe.push(sign),
        }
    }
    safe
}

/// A whole document. `body` is markup that was made here; `title` is text.
#[must_use]
pub fn document(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!("{BEFORE_TITLE}{title}{BEHIND_TITLE}<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n")
}

const BEFORE_TITLE: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>";

const BEHIND_TITLE: &str = "</title>
<style>
:root { color-scheme: light dark; --ink: #1d1a16; --soft: #665f55; --paper: #faf8f4; --line: #ddd6ca; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece6db; --soft: #a59c8e; --paper: #14120f; --line: #38332b; --card: #1d1a16; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; } h2, h3 { font-size: 1.1rem; margin-top: 2rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th, .text td:first-child { white-space: normal; } .text td:first-child { min-width: 14rem; }
th { color: var(--soft); font-weight: 500; } .text th:first-child, .text td:first-child { text-align: left; }
.keyed th:nth-child(2), .keyed td:nth-child(2) { text-align: left; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--line); }
figcaption { color: var(--soft); font-size: 13px; } pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .7rem 1rem; overflow-x: auto; }
</style>
</head>
<body>
<main>
";

/// The Markdown that reports here are written in, as markup: headings, paragraphs, tables, fenced text, lists, bold and
/// emphasis. Everything in it is escaped first, so that nothing but these can become markup.
#[must_use]
pub fn markup(markdown: &str) -> String {
    let mut html = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(heading) = ["### ", "## ", "# "].iter().find_map(|mark| line.strip_prefix(mark)) {
            let _ = writeln!(html, "<h2>{}</h2>", phrase(heading));
        } else if line.starts_with("```") {
            html.push_str("<pre>");
            for inner in lines.by_ref().take_while(|inner| !inner.starts_with("```")) {
                html.push_str(&escaped(inner));
                html.push('\n');
            }
            html.push_str("</pre>\n");
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|row| row.starts_with('|')) {
                rows.push(row);
            }
            html.push_str(&rows_of(&rows));
        } else if line.starts_with("- ") {
            html.push_str("<ul>\n");
            let mut item = Some(line);
            while let Some(text) = item.and_then(|line| line.strip_prefix("- ")) {
                let _ = writeln!(html, "<li>{}</li>", phrase(text));
                item = lines.next_if(|next| next.starts_with("- "));
            }
            html.push_str("</ul>\n");
        } else if !line.trim().is_empty() {
            let _ = writeln!(html, "<p>{}</p>", phrase(line));
        }
    }
    html
}

fn rows_of(rows: &[&str]) -> String {
    let mut html = String::from("<div class=\"scroll\"><table class=\"text\">\n");
    for (place, row) in rows.iter().enumerate() {
        // The second row says how columns are aligned.
        if place == 1 && row.bytes().all(|byte| b"|-: ".contains(&byte)) {
            continue;
        }
        let kind = if place == 0 { "th" } else { "td" };
        let cells = row.trim_matches('|').split(" | ").map(|cell| format!("<{kind}>{}</{kind}>", phrase(cell.trim())));
        let _ = writeln!(html, "<tr>{}</tr>", cells.collect::<String>());
    }
    html + "</table></div>\n"
}

/// One line: escaped, then what stands between pairs of stars and backticks.
fn phrase(text: &str) -> String {
    let mut html = escaped(text);
    for (mark, tag) in [("**", "b"), ("*", "em"), ("`", "code")] {
        let parts: Vec<&str> = html.split(mark).collect();
        // A mark without its partner is a sign like any other.
        if parts.len() < 3 || parts.len().is_multiple_of(2) {
            continue;
        }
        let mut marked = String::new();
        for (place, part) in parts.iter().enumerate() {
            if place % 2 == 1 {
                let _ = write!(marked, "<{tag}>{part}</{tag}>");
            } else {
                marked.push_str(part);
            }
        }
        html = marked;
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-015: what a report is written in becomes markup, and nothing that somebody wrote into it does.
    #[test]
    fn o_015_a_report_is_markup_and_strangers_are_text() {
        let report = "### e1 <img src=x onerror=alert(1)>\n\n**Does it?** a *b* less `c`, 2*3\n\n```sh\nrun <b>\n```\n\
                      | mean | a |\n|---|---:|\n| x | 1 [0, <script>] |\n\n- one\n- two\n";
        let html = document("</title><script>", &markup(report));
        for wanted in [
            "<h2>e1 &lt;img src=x onerror=alert(1)&gt;</h2>",
            "<b>Does it?</b>",
            "<code>c</code>",
            "<pre>run &lt;b&gt;\n</pre>",
            "<tr><th>mean</th><th>a</th></tr>\n<tr><td>x</td><td>1 [0, &lt;script&gt;]</td></tr>",
            "<li>one</li>\n<li>two</li>",
            "<title>&lt;/title&gt;&lt;script&gt;</title>",
            "default-src 'none'",
        ] {
            assert!(html.contains(wanted), "{wanted}: {html}");
        }
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("http:"), "{html}");
    }
}
