//! Presets: the scenes that the page offers.
//!
//! Some are files of `examples/scenes`, the others are generated, most of them from a seed.

mod procedural;

use std::sync::{Arc, OnceLock};

use embate_scene::random::Random;
use serde_json::Value;

use super::json_value::JsonObject;
use super::scene_document::{BodyJson, SceneDocument};
use crate::localized_text::LocalizedText;

/// A selectable scene.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name in links.
    pub name: &'static str,
    /// Title.
    pub title: LocalizedText,
    /// Description of what to observe, in two sentences.
    pub about: LocalizedText,
    scene: Scene,
}

#[derive(Clone, Copy, Debug)]
enum Scene {
    /// A file of the examples.
    File(&'static str),
    /// Made, the same at every seed.
    Made(fn() -> JsonObject),
    /// Made from a seed.
    Random(fn(&mut Random) -> JsonObject),
}

impl Preset {
    /// Whether another seed makes another scene.
    #[must_use]
    pub fn takes_seed(&self) -> bool {
        matches!(self.scene, Scene::Random(_))
    }

    /// Name and description in its scene file, by which the page recognizes it in a link or file.
    pub(super) fn name_and_description(&self) -> [Value; 2] {
        if let Scene::File(text) = self.scene {
            let head: JsonObject = serde_json::from_str(text).unwrap_or_default();
            return ["name", "description"].map(|key| head.get(key).cloned().unwrap_or_default());
        }
        [self.title.en.into(), self.about.en.into()]
    }

    /// Scene text.
    #[must_use]
    pub fn text(&self, seed: u32) -> String {
        let mut head = match self.scene {
            Scene::File(text) => return text.to_owned(),
            Scene::Made(make) => make(),
            Scene::Random(make) => make(&mut Random::new(seed.into())),
        };
        let [name, description] = self.name_and_description();
        head.insert("name".to_owned(), name);
        head.insert("description".to_owned(), description);
        let bodies = head.remove("bodies").and_then(|list| list.as_array().cloned());
        let bodies = (0..).zip(bodies.unwrap_or_default()).map(|(key, body)| {
            let json = body.as_object().cloned().unwrap_or_default();
            Arc::new(BodyJson { key, json })
        });
        let bodies: Vec<Arc<BodyJson>> = bodies.collect();
        SceneDocument {
            head,
            next_key: bodies.len() as u32,
            bodies,
            joints: Vec::new(),
            forces: Vec::new(),
        }
        .text()
    }
}

/// Name and description of the preset whose texts this head has, if any.
pub(super) fn texts_of(head: &JsonObject) -> Option<&'static [(&'static str, Value); 2]> {
    static TEXTS: OnceLock<Vec<[(&str, Value); 2]>> = OnceLock::new();
    let of_preset = |preset: &Preset| {
        let [name, description] = preset.name_and_description();
        [("name", name), ("description", description)]
    };
    let all = TEXTS.get_or_init(|| PRESETS.iter().map(of_preset).collect());
    all.iter().find(|texts| texts.iter().all(|(key, text)| head.get(*key) == Some(text)))
}

/// The preset of this name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

macro_rules! example {
    ($file:literal) => {
        Scene::File(include_str!(concat!("../../../../../examples/scenes/", $file)))
    };
}

/// All of them; the first is what the page opens with.
pub(super) const PRESETS: [Preset; 16] = [
    Preset {
        name: "ramp",
        title: LocalizedText { en: "Ramp and obstacles", pt: "Rampa e obstáculos" },
        about: LocalizedText {
            en: "Balls and boxes fall on a ramp, a post and a step. Watch islands merge as the pile grows, and the cost of resolving rise with its contacts.",
            pt: "Esferas e caixas caem sobre uma rampa, um poste e um degrau. Veja as ilhas se unirem enquanto a pilha cresce, e o custo da resolução subir com os contatos.",
        },
        scene: Scene::Random(procedural::ramp),
    },
    Preset {
        name: "spheres",
        title: LocalizedText { en: "Falling spheres", pt: "Esferas em queda" },
        about: LocalizedText {
            en: "Sixty balls fall; the rows range from no bounce to an almost full one. Compare how high each row comes back, and how the energy decreases.",
            pt: "Sessenta esferas caem, em fileiras que vão de nenhum quique a um quique quase completo. Compare a altura a que cada fileira volta e como a energia diminui.",
        },
        scene: Scene::Random(procedural::spheres),
    },
    Preset {
        name: "boxes",
        title: LocalizedText { en: "Pile of boxes", pt: "Pilha de caixas" },
        about: LocalizedText {
            en: "A hundred boxes tumble into a pit and come to rest. Watch the contacts appear, and the bodies go to sleep once nothing moves any more.",
            pt: "Cem caixas caem num poço e se acomodam. Veja os contatos surgirem e os corpos adormecerem quando nada mais se move.",
        },
        scene: Scene::Random(procedural::boxes),
    },
    Preset {
        name: "pyramid",
        title: LocalizedText { en: "Pyramid", pt: "Pirâmide" },
        about: LocalizedText {
            en: "A hundred and five boxes stand on each other without glue. Throw a ball at them (T) and step through the impact.",
            pt: "Cento e cinco caixas ficam umas sobre as outras sem cola. Atire uma bola nelas (T) e acompanhe o impacto passo a passo.",
        },
        scene: Scene::Made(procedural::pyramid),
    },
    Preset {
        name: "dominoes",
        title: LocalizedText { en: "Domino run", pt: "Fileira de dominós" },
        about: LocalizedText {
            en: "Forty dominoes in half a circle; a ball pushes the first. Each passes its fall on, so that contacts run around the arc.",
            pt: "Quarenta dominós em meio círculo; uma bola empurra o primeiro. Cada um passa a queda adiante, e os contatos correm pelo arco.",
        },
        scene: example!("dominoes.json"),
    },
    Preset {
        name: "cradle",
        title: LocalizedText { en: "Newton’s cradle", pt: "Pêndulo de Newton" },
        about: LocalizedText {
            en: "One ball swings down, and the one at the other end rises. Momentum goes through the middle balls while they hardly move.",
            pt: "Uma esfera desce, e a da outra ponta sobe. O momento atravessa as do meio, que mal se movem.",
        },
        scene: example!("newtons-cradle.json"),
    },
    Preset {
        name: "gas",
        title: LocalizedText { en: "Gas", pt: "Gás" },
        about: LocalizedText {
            en: "Three hundred perfectly elastic balls fly about in a box. Their energy stays constant; only the momentum changes, at the walls.",
            pt: "Trezentas esferas perfeitamente elásticas voam numa caixa. A energia fica constante; só o momento muda, nas paredes.",
        },
        scene: Scene::Random(procedural::gas),
    },
    Preset {
        name: "hulls",
        title: LocalizedText { en: "Hulls", pt: "Poliedros" },
        about: LocalizedText {
            en: "Convex solids of random corners roll into a pit. Look at the normals: a flat side rests on up to four points, a corner on one.",
            pt: "Sólidos convexos de vértices aleatórios rolam para um poço. Observe as normais: uma face plana se apoia em até quatro pontos, um vértice em um só.",
        },
        scene: Scene::Random(procedural::hulls),
    },
    Preset {
        name: "cards",
        title: LocalizedText { en: "Card house", pt: "Castelo de cartas" },
        about: LocalizedText {
            en: "Cards lean on each other, held by friction alone. Lower the friction of one of them, or pull it out, and the house falls.",
            pt: "As cartas se apoiam umas nas outras, presas só pelo atrito. Diminua o atrito de uma delas, ou puxe-a, e o castelo cai.",
        },
        scene: example!("card-house.json"),
    },
    Preset {
        name: "wrecking",
        title: LocalizedText { en: "Wrecking ball", pt: "Bola de demolição" },
        about: LocalizedText {
            en: "A ball of 200 kg on a chain of eight links swings into a wall of bricks. The chain weighs a fifth of the ball and still holds it.",
            pt: "Uma bola de 200 kg, presa a uma corrente de oito elos, atinge um muro de tijolos. A corrente pesa um quinto da bola e mesmo assim a segura.",
        },
        scene: example!("wrecking-ball.json"),
    },
    Preset {
        name: "dzhanibekov",
        title: LocalizedText { en: "Dzhanibekov’s handle", pt: "Efeito Dzhanibekov" },
        about: LocalizedText {
            en: "A handle that spins weightless about its middle axis turns over again and again. Its angular momentum is conserved; the chart shows it.",
            pt: "Uma alça que gira sem peso em torno do eixo do meio vira de lado repetidas vezes. O momento angular se conserva; o gráfico mostra.",
        },
        scene: example!("tumbling-handle.json"),
    },
    Preset {
        name: "study-bounce",
        title: LocalizedText { en: "Lasch: a bounce", pt: "Lasch: bolas quicando" },
        about: LocalizedText {
            en: "Five balls of different restitution, by the study’s own chain of move, broad phase, narrow phase and impulse. Bodies do not turn in it, and each ball bounces back to e² times its drop height, where e is its restitution.",
            pt: "Cinco esferas de restituição diferente, pela cadeia do próprio estudo: mover, fase ampla, fase estreita e impulso. Nela os corpos não giram, e cada esfera volta a e² vezes a altura da queda, onde e é sua restituição.",
        },
        scene: example!("study-bounce.json"),
    },
    Preset {
        name: "study-pile",
        title: LocalizedText { en: "Lasch: a pile", pt: "Lasch: uma pilha" },
        about: LocalizedText {
            en: "A pile resolved pair by pair with one impulse each. It never quite comes to rest, a limit of the method.",
            pt: "Uma pilha resolvida par a par, com um impulso cada. Ela nunca chega a repousar de todo, um limite do método.",
        },
        scene: example!("study-pile.json"),
    },
    Preset {
        name: "study-positions",
        title: LocalizedText { en: "Lasch: positions only", pt: "Lasch: só posições" },
        about: LocalizedText {
            en: "The same pile with the simpler solver that the study names, which only moves bodies apart. Velocities follow from the corrected positions (position-based dynamics, ours), so nothing bounces.",
            pt: "A mesma pilha com o método mais simples que o estudo cita, que só afasta os corpos. As velocidades seguem das posições corrigidas (dinâmica baseada em posições, nossa), e por isso nada quica.",
        },
        scene: example!("study-positions.json"),
    },
    Preset {
        name: "thousand",
        title: LocalizedText { en: "A thousand boxes", pt: "Mil caixas" },
        about: LocalizedText {
            en: "A block of ten by ten by ten boxes leans, falls apart and comes to rest: the load by which engines are compared. Look at the cost of a step, and which part of it is the largest.",
            pt: "Um bloco de dez por dez por dez caixas se inclina, desmorona e se acomoda: a carga com que se comparam motores. Veja o custo de um passo e qual parte dele é a maior.",
        },
        scene: Scene::Made(procedural::thousand),
    },
    Preset {
        name: "empty",
        title: LocalizedText { en: "Empty world", pt: "Mundo vazio" },
        about: LocalizedText {
            en: "A level floor under gravity, and nothing else. Add bodies, obstacles and bounds, then press Play.",
            pt: "Um piso plano sob a gravidade, e nada mais. Adicione corpos, obstáculos e limites, e clique em Rodar.",
        },
        scene: Scene::Made(procedural::empty),
    },
];
