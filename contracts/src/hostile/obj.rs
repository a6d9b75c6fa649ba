//! Hostile OBJ files.

use embate_mesh::Limits;

use super::{HostileFile, LARGE_FILE_BYTES};

pub(super) const VALID: &str = "# two\nmtllib a.mtl\nv 0 0 0\nv 1.5 0 0\nv 1 1e0 0 1\nv 0 1 -.5\n\
    vt 0 0\nf 1/1 2/1 3/1 4/1\nf -4 -2 \\\n -1\n";

const OUT_OF_RANGE: &str = "must be finite and within ±1e18; repair or rescale the model";

fn three_vertices_and(rest: &str) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{rest}")
}

pub(super) const FILES: &[fn() -> HostileFile] = &[
    // All measured OBJ loaders accept the first three.
    || {
        HostileFile::error(
            "nan.obj",
            "v 0 NaN 0\n",
            &format!(", line 1: coordinate `NaN` {OUT_OF_RANGE}"),
        )
    },
    || {
        HostileFile::error(
            "infinity.obj",
            "v 0 -inf 0\n",
            &format!(", line 1: coordinate `-inf` {OUT_OF_RANGE}"),
        )
    },
    || {
        HostileFile::error(
            "overflow.obj",
            "v 0 1e39 0\n",
            &format!(", line 1: coordinate `1e39` {OUT_OF_RANGE}"),
        )
    },
    || {
        HostileFile::error(
            "too-far.obj",
            "\nv 0 0 1e19\n",
            &format!(", line 2: coordinate `1e19` {OUT_OF_RANGE}"),
        )
    },
    || HostileFile::error("letters.obj", "v 0 0 1.0abc\n", ", line 1: `1.0abc` is not a number"),
    || HostileFile::error("comma.obj", "v 0,5 1 2\n", ", line 1: `0,5` is not a number"),
    || {
        HostileFile::error(
            "two-numbers.obj",
            "v 0 0\n",
            ", line 1: a vertex needs x, y and z, this one has 2",
        )
    },
    || {
        HostileFile::error(
            "nine-numbers.obj",
            "v 0 0 0 1 1 1 1 1 1\n",
            ", line 1: a vertex has at most x y z, a weight and a color",
        )
    },
    || {
        let message = ", line 4: a face refers to vertex 0, but OBJ counts vertices from 1";
        HostileFile::error("index-zero.obj", three_vertices_and("f 0 1 2\n"), message)
    },
    // tobj issue 18.
    || {
        let message = ", line 4: a face refers to vertex 7, but the file has 3";
        HostileFile::error("index-past.obj", three_vertices_and("f 1 2 7\n"), message)
    },
    // tinyobjloader, TALOS-2020-1212.
    || {
        let message = ", line 4: a face refers to vertex -4, but only 3 come before it";
        HostileFile::error("index-before.obj", three_vertices_and("f -4 -2 -1\n"), message)
    },
    || {
        let message = ", line 1: a face refers to vertex 1, but the file has 0";
        HostileFile::error("no-vertices.obj", "f 1 2 3\n", message)
    },
    // Wraps to 1 if the index is stored in 32 bits.
    || {
        let message = ", line 4: a face refers to vertex 4294967297, but the file has 3";
        HostileFile::error("index-wraps.obj", three_vertices_and("f 4294967297 2 3\n"), message)
    },
    // The most negative i64 has no absolute value.
    || {
        let message =
            ", line 4: `-9223372036854775808` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3";
        HostileFile::error(
            "index-least.obj",
            three_vertices_and("f -9223372036854775808 2 3\n"),
            message,
        )
    },
    || {
        let message = ", line 4: a face needs at least 3 vertices, this one has 2";
        HostileFile::error("two-corners.obj", three_vertices_and("f 1 2\n"), message)
    },
    || {
        let message = ", line 4: `/1/` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3";
        HostileFile::error("no-index.obj", three_vertices_and("f /1/ 2 3\n"), message)
    },
    // assimp pull request 1654: lines with one vertex made its index count too small.
    || HostileFile::mesh("short-lines.obj", three_vertices_and("l 1\nl 1\nl\np\nf 1 2 3\n"), 3, 1),
    || HostileFile::error("cut-in-number.obj", "v 0 0 0\\", ", line 1: `0\\` is not a number"),
    || HostileFile::mesh("cut-after-backslash.obj", three_vertices_and("f 1 2 3 \\\n"), 3, 1),
    || {
        let message = ", line 1: `<!DOCTYPE` is not an OBJ keyword, and the file has no vertices";
        HostileFile::error("web-page.obj", "<!DOCTYPE html>\n<html>404</html>\n", message)
    },
    // 2 bytes of input per 12 bytes of triangle.
    || {
        let corners = LARGE_FILE_BYTES / 2;
        HostileFile::mesh(
            "polygon.obj",
            format!("v 0 0 0\nf{}\n", " 1".repeat(corners)),
            1,
            corners - 2,
        )
    },
    || {
        HostileFile::mesh(
            "vertices.obj",
            "v 0 0 0\n".repeat(LARGE_FILE_BYTES / 8),
            LARGE_FILE_BYTES / 8,
            0,
        )
    },
    || HostileFile::mesh("backslashes.obj", "\\\n".repeat(LARGE_FILE_BYTES / 2), 0, 0),
    || HostileFile::mesh("one-comment.obj", format!("#{}", "x".repeat(LARGE_FILE_BYTES)), 0, 0),
    || {
        let message = format!(", line 1: coordinate `{}…` {OUT_OF_RANGE}", "1".repeat(40));
        HostileFile::error(
            "long-number.obj",
            format!("v 0 0 {}", "1".repeat(LARGE_FILE_BYTES)),
            &message,
        )
    },
    || {
        let message = ": 3 vertices, more than the limit of 2; raise `Limits::max_vertices` if \
            you trust the file";
        HostileFile::error("over-limit.obj", three_vertices_and(""), message)
            .with_limits(Limits { max_vertices: 2, ..Limits::default() })
    },
    // A comment that ends in a backslash must not swallow the vertex below it.
    || HostileFile::mesh("windows-path.obj", "# C:\\models\\\nv 0 0 0\n", 1, 0),
    || HostileFile::mesh("old-mac.obj", three_vertices_and("f 1 2 3\n").replace('\n', "\r"), 3, 1),
];
