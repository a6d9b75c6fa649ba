//! Gzip decompression, stopped early if the content is not a mesh or exceeds the limit.

use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;

use crate::error::{MeshFormatError, ParseError, escape_controls};
use crate::format::{Available, detect};
use crate::limits::{Limit, Limits};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Decompressed bytes after which the format must be known. A decompression bomb of zeros, which
/// expands 1,000-fold, is stopped here.
const DETECTION_BYTES: usize = 1 << 16;

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Decompresses all members of a gzip, to at most one byte beyond the limit.
///
/// The input is streamed: a gzip may contain any number of bytes that decompress to nothing.
pub(crate) fn decompress(
    compressed: impl BufRead,
    limits: &Limits,
    name: &str,
) -> Result<Vec<u8>, ParseError> {
    let mut decoder = MultiGzDecoder::new(compressed).take(limits.max_bytes.saturating_add(1));
    let mut bytes = Vec::new();
    let corrupt = |cause: io::Error| {
        ParseError::whole(MeshFormatError::Gzip { cause: escape_controls(&cause.to_string()) })
    };
    decoder.by_ref().take(DETECTION_BYTES as u64).read_to_end(&mut bytes).map_err(corrupt)?;
    if is_gzip(&bytes) {
        return Err(ParseError::whole(MeshFormatError::NestedGzip));
    }
    if bytes.len() == DETECTION_BYTES && detect(&bytes, Available::Prefix, name).is_none() {
        return Err(ParseError::UnknownFormat);
    }
    decoder.read_to_end(&mut bytes).map_err(corrupt)?;
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn compress(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn concatenated_members_are_one_file() {
        let compressed = [compress(b"v 0 0"), compress(b" 0\n")].concat();
        assert_eq!(decompress(&compressed[..], &Limits::default(), "a.obj").unwrap(), b"v 0 0 0\n");
    }

    #[test]
    fn decompression_bomb_is_stopped_at_the_limit_or_at_format_detection() {
        let limits = Limits { max_bytes: 100_000, ..Limits::default() };
        let comment = compress(&[&b"v 0 0 0\n"[..], &vec![b'#'; 1_000_000]].concat());
        let error = decompress(&comment[..], &limits, "a.obj").unwrap_err();
        assert!(matches!(error, ParseError::OverLimit { found: 100_001, .. }), "{error:?}");
        let zeros = compress(&vec![0; 1_000_000]);
        let error = decompress(&zeros[..], &Limits::default(), "a.obj").unwrap_err();
        assert!(matches!(error, ParseError::UnknownFormat), "{error:?}");
    }

    #[test]
    fn truncated_gzip_is_rejected() {
        let compressed = compress(b"v 0 0 0\n");
        for length in 2..compressed.len() {
            assert!(
                decompress(&compressed[..length], &Limits::default(), "a.obj").is_err(),
                "{length}"
            );
        }
    }
}
