//! A picture for the registration file: an address, or a small file that is carried in it.

use std::path::Path;

use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::RegistrationProfile;

/// What a picture begins with, and what it is then.
const KINDS: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"RIFF", "webp"),
    (b"<svg", "svg+xml"),
];

/// An address as it is, a file as the `data:` address that carries it.
pub(super) fn read(given: &str) -> Result<String> {
    if given.is_empty() || given.contains("://") {
        return Ok(given.to_owned());
    }
    let bytes = std::fs::read(Path::new(given)).wrap_err_with(|| {
        format!("{given} is neither an address (https://, ipfs://, ar://) nor a file that can be read")
    })?;
    ensure!(
        bytes.len() <= RegistrationProfile::PICTURE_BYTES,
        "{given} has {} bytes, and every one of them is paid for on chain; a picture in the file has at most {}. Put it on \
         a server and name its address",
        bytes.len(),
        RegistrationProfile::PICTURE_BYTES
    );
    let Some((_, kind)) = KINDS.iter().find(|(begin, _)| bytes.starts_with(begin)) else {
        bail!("{given} is no picture of a known kind (png, jpeg, gif, webp, svg)");
    };
    Ok(golem_x402::carried_image(kind, &bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L-012: a small picture is carried, an address stays one, and what is neither is refused.
    #[test]
    fn l_012_a_picture_is_an_address_or_a_small_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            path.to_str().expect("text").to_owned()
        };
        assert_eq!(read("https://golem.example/ada.png").expect("an address"), "https://golem.example/ada.png");
        assert_eq!(read("").expect("nothing"), "");
        let carried = read(&file("ada.svg", b"<svg/>")).expect("a picture");
        assert_eq!(carried, "data:image/svg+xml;base64,PHN2Zy8+");
        for (given, words) in [
            (folder.path().join("nowhere.png").to_str().expect("text").to_owned(), "neither an address"),
            (file("big.png", &[0x89; 5_000]), "at most 4096"),
            (file("words.txt", b"words"), "no picture"),
        ] {
            let error = read(&given).expect_err("refused");
            assert!(format!("{error:#}").contains(words), "{error:#}");
        }
    }
}
