//! What is in a gzip, if it is a mesh at all?

use std::io::{BufRead, Read};

use flate2::bufread::MultiGzDecoder;

use crate::error::Fault;
use crate::format::{Extent, detect};
use crate::limits::{Limit, Limits};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacked bytes after which the content must look like a mesh. A bomb of zeros, which unpacks a
/// thousandfold, goes no further.
const FIRST_LOOK: usize = 1 << 16;

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Unpacks all members of a gzip; at no moment is more than one byte over the limit unpacked.
///
/// The packed side is streamed: a gzip may carry any number of bytes that unpack to nothing.
pub(crate) fn unpack(packed: impl BufRead, limits: &Limits, name: &str) -> Result<Vec<u8>, Fault> {
    let mut decoder = MultiGzDecoder::new(packed).take(limits.max_bytes.saturating_add(1));
    let mut bytes = Vec::new();
    let damaged = |cause| Fault::whole(format!("the gzip is damaged or cut: {cause}"));
    decoder.by_ref().take(FIRST_LOOK as u64).read_to_end(&mut bytes).map_err(damaged)?;
    if is_gzip(&bytes) {
        return Err(Fault::whole("a gzip within a gzip; unpack it once first"));
    }
    if bytes.len() == FIRST_LOOK && detect(&bytes, Extent::Start, name).is_none() {
        return Err(Fault::Unrecognised);
    }
    decoder.read_to_end(&mut bytes).map_err(damaged)?;
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_one_after_the_other_are_one_file() {
        let packed = [pack(b"v 0 0"), pack(b" 0\n")].concat();
        assert_eq!(unpack(&packed[..], &Limits::default(), "a.obj").unwrap(), b"v 0 0 0\n");
    }

    #[test]
    fn a_bomb_is_given_up_at_the_limit_or_at_first_look() {
        let limits = Limits { max_bytes: 100_000, ..Limits::default() };
        let comment = pack(&[&b"v 0 0 0\n"[..], &vec![b'#'; 1_000_000]].concat());
        let fault = unpack(&comment[..], &limits, "a.obj").unwrap_err();
        assert!(matches!(fault, Fault::OverLimit { found: 100_001, .. }), "{fault:?}");
        let zeros = pack(&vec![0; 1_000_000]);
        let fault = unpack(&zeros[..], &Limits::default(), "a.obj").unwrap_err();
        assert!(matches!(fault, Fault::Unrecognised), "{fault:?}");
    }

    #[test]
    fn a_cut_gzip_is_an_error() {
        let packed = pack(b"v 0 0 0\n");
        for length in 2..packed.len() {
            assert!(unpack(&packed[..length], &Limits::default(), "a.obj").is_err(), "{length}");
        }
    }
}
