/**
 * Sound of collisions.
 *
 * One struck note per pair that begins to touch: low for large bodies, high for small ones, on a
 * pentatonic scale so that any chord is consonant; panned to the position on the stage. Impacts on
 * walls are a band of noise at that pitch instead of a note. Beyond eight voices or twenty onsets
 * per second, only the hardest sound as notes, and one soft texture stands for the rest. Off by
 * default: browsers require a user gesture.
 */
import { signal } from '@preact/signals';

export interface ImpactSound {
  /** 0 at the left edge, 1 at the right. */
  across: number;
  /** 0 the smallest body, 1 the largest. */
  mass: number;
  /** Impulse relative to the largest possible one. */
  force: number;
  /** The other body is the boundary of the world. */
  wall: boolean;
}

const MAX_VOICES = 8;
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
/** An impulse of a thousandth of the largest is barely audible: loudness is logarithmic. */
const SOFTEST_DECADE = -3;
const SOFTEST = 0.05;
/** Q of the band-pass for walls: narrow enough for a pitch, too wide for a note. */
const WALL_Q = 3;
/** A narrow band contains little of the noise's energy. */
const WALL_GAIN = 3;

/** 220 Hz for the largest mass, 1,760 Hz for the smallest. */
export function pitch(mass: number): number {
  const notes = PENTATONIC.length * OCTAVES;
  const note = Math.round((1 - Math.min(1, Math.max(0, mass))) * notes);
  const octave = Math.floor(note / PENTATONIC.length);
  const step = PENTATONIC[note % PENTATONIC.length] ?? 0;
  return LOWEST_HZ * 2 ** (octave + step / 12);
}

/** Logarithmic loudness of an impulse, 0 (silent) to 1. */
export function loudness(force: number): number {
  const heard = 1 - Math.log10(force) / SOFTEST_DECADE;
  return force > 0 ? Math.min(1, Math.max(SOFTEST, heard)) : SOFTEST;
}

interface Instrument {
  context: AudioContext;
  out: AudioNode;
  /** One second of noise. */
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
  // Rain-like texture: looped, low-passed noise.
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
  const dull = new BiquadFilterNode(context, { type: 'bandpass', frequency: 900, Q: 0.6 });
  const texture = new GainNode(context, { gain: 0 });
  source.connect(dull).connect(texture).connect(out);
  source.start();
  return { context, out, noise, texture };
}

/** Time constant with which the texture rises and fades. */
const TEXTURE_S = 0.15;
/** Impact reports of a running scene arrive more often than this. */
const REPORTS_APART_S = 0.4;

class Sound {
  readonly isOn = signal(false);
  #instrument: Instrument | null = null;
  #voices = 0;
  /** Times of the last onsets, oldest first. */
  #onsets: number[] = [];

  /** Must be called from a user gesture. */
  toggle(): void {
    this.isOn.value = !this.isOn.value;
    if (this.isOn.value) {
      this.#instrument ??= build();
      void this.#instrument.context.resume();
    } else {
      void this.#instrument?.context.suspend();
    }
  }

  /** Plays all impacts of one report: the hardest as notes, the others as texture. */
  strike(strikes: readonly ImpactSound[]): void {
    const instrument = this.#instrument;
    if (!this.isOn.value || instrument === null) {
      return;
    }
    const now = instrument.context.currentTime;
    this.#onsets = this.#onsets.filter((onset) => onset > now - 1);
    let left = 0;
    for (const strike of [...strikes].sort((one, other) => other.force - one.force)) {
      if (this.#voices >= MAX_VOICES || this.#onsets.length >= ONSETS_A_SECOND) {
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
    // There is no end message: a paused scene simply reports no more impacts.
    gain.setTargetAtTime(0, now + REPORTS_APART_S, TEXTURE_S);
  }

  #sound(instrument: Instrument, strike: ImpactSound, now: number): void {
    const { context, out } = instrument;
    const loudest = LOUDEST * loudness(strike.force);
    const envelope = new GainNode(context, { gain: 0 });
    const pan = new StereoPannerNode(context, { pan: Math.min(1, Math.max(-1, strike.across * 2 - 1)) });
    envelope.gain.linearRampToValueAtTime(loudest, now + ATTACK_S);
    // An exponential ramp never reaches zero; a thousandth is inaudible.
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
