/**
 * What do collisions sound like?
 *
 * A struck note for each pair that begins to touch: large ones low, small ones high, on a pentatonic
 * scale so that any handful of them sounds well; to the left what is on the left. Walls are a brush of
 * noise of that height instead of a note. Too many would be noise and cost, so beyond eight voices or
 * twenty onsets a second, the hardest first, one soft texture tells how busy it is. Silent until asked:
 * browsers demand a gesture, and people do too.
 */
import { signal } from '@preact/signals';

export interface Strike {
  /** 0 at the left edge, 1 at the right. */
  across: number;
  /** 0 the smallest body, 1 the largest. */
  mass: number;
  /** The impulse, 1 the hardest there can be. */
  force: number;
  /** Not another body, but the world's edge. */
  wall: boolean;
}

const MOST_VOICES = 8;
const ONSETS_A_SECOND = 20;
const ATTACK_S = 0.004;
const DECAY_S = 0.12;
/** Steps of the major pentatonic scale, in semitones. */
const PENTATONIC = [0, 2, 4, 7, 9];
const LOWEST_HZ = 220;
const OCTAVES = 3;
/** Eight voices at once stay below full scale. */
const LOUDEST = 0.16;
const TEXTURE_LOUDEST = 0.05;
/** An impulse is hardly heard when it is a thousandth of the hardest: ears go by the logarithm. */
const SOFTEST_DECADE = -3;
const SOFTEST = 0.05;
/** How narrow the noise of a wall is: a height can be told, a note not. */
const WALL_Q = 3;
/** A narrow band of noise holds little of it. */
const WALL_GAIN = 3;

/** The lowest note for the largest mass, 1,760 Hz for the smallest. */
export function pitch(mass: number): number {
  const notes = PENTATONIC.length * OCTAVES;
  const note = Math.round((1 - Math.min(1, Math.max(0, mass))) * notes);
  const octave = Math.floor(note / PENTATONIC.length);
  const step = PENTATONIC[note % PENTATONIC.length] ?? 0;
  return LOWEST_HZ * 2 ** (octave + step / 12);
}

/** From 0, silent, to 1, by the logarithm of the impulse. */
export function loudness(force: number): number {
  const heard = 1 - Math.log10(force) / SOFTEST_DECADE;
  return force > 0 ? Math.min(1, Math.max(SOFTEST, heard)) : SOFTEST;
}

interface Instrument {
  context: AudioContext;
  out: AudioNode;
  /** A second of it. */
  noise: AudioBuffer;
  texture: GainNode;
}

function build(): Instrument {
  const context = new AudioContext();
  const out = context.createDynamicsCompressor();
  out.connect(context.destination);

  const noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) {
    samples[place] = Math.random() * 2 - 1;
  }
  // Rain: noise, looped and dulled.
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
  const dull = new BiquadFilterNode(context, { type: 'bandpass', frequency: 900, Q: 0.6 });
  const texture = new GainNode(context, { gain: 0 });
  source.connect(dull).connect(texture).connect(out);
  source.start();
  return { context, out, noise, texture };
}

/** How slowly the texture swells and falls. */
const TEXTURE_S = 0.15;
/** Strikes of a scene that moves come more often than this. */
const REPORTS_APART_S = 0.4;

class Sound {
  readonly isOn = signal(false);
  #instrument: Instrument | null = null;
  #voices = 0;
  /** When the last onsets were, the oldest first. */
  #onsets: number[] = [];

  /** Must be called from a gesture of the reader. */
  toggle(): void {
    this.isOn.value = !this.isOn.value;
    if (this.isOn.value) {
      this.#instrument ??= build();
      void this.#instrument.context.resume();
    } else {
      void this.#instrument?.context.suspend();
    }
  }

  /** All that began together: the hardest as notes, the others as texture. */
  strike(strikes: readonly Strike[]): void {
    const instrument = this.#instrument;
    if (!this.isOn.value || instrument === null) {
      return;
    }
    const now = instrument.context.currentTime;
    this.#onsets = this.#onsets.filter((onset) => onset > now - 1);
    let left = 0;
    for (const strike of [...strikes].sort((one, other) => other.force - one.force)) {
      if (this.#voices >= MOST_VOICES || this.#onsets.length >= ONSETS_A_SECOND) {
        left += 1;
      } else {
        this.#onsets.push(now);
        this.#sound(instrument, strike, now);
      }
    }
    const busy = Math.min(1, Math.log2(1 + left) / 5);
    const { gain } = instrument.texture;
    gain.cancelScheduledValues(now);
    gain.setTargetAtTime(TEXTURE_LOUDEST * busy, now, TEXTURE_S);
    // Nobody says when it is over: a scene that is paused strikes no more.
    gain.setTargetAtTime(0, now + REPORTS_APART_S, TEXTURE_S);
  }

  #sound(instrument: Instrument, strike: Strike, now: number): void {
    const { context, out } = instrument;
    const loudest = LOUDEST * loudness(strike.force);
    const envelope = new GainNode(context, { gain: 0 });
    const pan = new StereoPannerNode(context, { pan: Math.min(1, Math.max(-1, strike.across * 2 - 1)) });
    envelope.gain.linearRampToValueAtTime(loudest, now + ATTACK_S);
    // An exponential never reaches zero; a thousandth is silence.
    envelope.gain.exponentialRampToValueAtTime(loudest / 1000, now + ATTACK_S + DECAY_S);
    envelope.connect(pan).connect(out);
    const source = strike.wall ? brush(instrument, strike.mass, envelope) : note(instrument, strike.mass, envelope);
    this.#voices += 1;
    source.addEventListener('ended', () => (this.#voices -= 1));
    source.start(now);
    source.stop(now + ATTACK_S + DECAY_S);
  }
}

function note({ context }: Instrument, mass: number, into: AudioNode): AudioScheduledSourceNode {
  const source = new OscillatorNode(context, { type: 'triangle', frequency: pitch(mass) });
  source.connect(into);
  return source;
}

function brush({ context, noise }: Instrument, mass: number, into: AudioNode): AudioScheduledSourceNode {
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const band = new BiquadFilterNode(context, { type: 'bandpass', frequency: pitch(mass), Q: WALL_Q });
  source.connect(band).connect(new GainNode(context, { gain: WALL_GAIN })).connect(into);
  return source;
}

export const sound = new Sound();
