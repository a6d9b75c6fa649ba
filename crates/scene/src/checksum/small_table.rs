//! CRC-32 with a table of 64 bytes: four bits at a time.

/// The remainder of each half byte, by the polynomial of Ethernet and zip, lowest bit first.
const REMAINDERS: [u32; 16] = {
    let mut table = [0; 16];
    let mut half = 0;
    while half < 16 {
        let mut remainder = half as u32;
        let mut bit = 0;
        while bit < 4 {
            let carried = remainder & 1;
            remainder = (remainder >> 1) ^ (0xedb8_8320 * carried);
            bit += 1;
        }
        table[half] = remainder;
        half += 1;
    }
    table
};

/// Of bytes that come in pieces.
#[derive(Clone, Debug)]
pub(super) struct Hasher(u32);

impl Hasher {
    pub(super) fn new() -> Self {
        Self(!0)
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 ^= u32::from(byte);
            for _ in 0..2 {
                self.0 = (self.0 >> 4) ^ REMAINDERS[(self.0 & 15) as usize];
            }
        }
    }

    pub(super) fn finalize(self) -> u32 {
        !self.0
    }
}

pub(super) fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use crate::random::Random;

    #[test]
    fn small_table_checksum_equals_crc32fast() {
        assert_eq!(super::hash(b"123456789"), 0xcbf4_3926);
        let mut random = Random::new(7);
        for length in 0..300 {
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            assert_eq!(super::hash(&bytes), crc32fast::hash(&bytes), "{length} bytes");
            let mut pieces = super::Hasher::new();
            bytes.chunks(7).for_each(|piece| pieces.update(piece));
            assert_eq!(pieces.finalize(), crc32fast::hash(&bytes), "{length} bytes in pieces");
        }
    }
}
