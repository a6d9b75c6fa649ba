//! Compiles the Bullet shim and enables the peer `bullet`, if Bullet is installed.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(bullet)");
    println!("cargo::rerun-if-changed=src/broad_phase/peers/bullet.cpp");
    println!("cargo::rerun-if-env-changed=PKG_CONFIG_PATH");
    // Bullet may be installed later.
    println!("cargo::rerun-if-changed=/usr/include/bullet");
    let Some(include) = pkg_config("--cflags-only-I") else { return };
    let Some(libraries) = pkg_config("--libs-only-L") else { return };
    let mut shim = cc::Build::new();
    shim.cpp(true).opt_level(3).file("src/broad_phase/peers/bullet.cpp").warnings(false);
    for word in include.split_whitespace() {
        shim.flag(word);
    }
    if shim.try_compile("bullet_shim").is_err() {
        println!(
            "cargo::warning=Bullet is installed, but its shim does not compile; it is not measured"
        );
        return;
    }
    for folder in libraries.split_whitespace().filter_map(|word| word.strip_prefix("-L")) {
        println!("cargo::rustc-link-search=native={folder}");
    }
    println!("cargo::rustc-link-lib=BulletCollision");
    println!("cargo::rustc-link-lib=LinearMath");
    println!("cargo::rustc-cfg=bullet");
}

fn pkg_config(flag: &str) -> Option<String> {
    let output = Command::new("pkg-config").args([flag, "bullet"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
