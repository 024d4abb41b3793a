/** A few soft sounds, synthesised. They are off unless a volume is chosen. */
import { settings } from "../settings.svelte";

export type Sound = "card" | "train" | "stamp" | "sweep" | "turn" | "bell" | "end" | "word";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

export function play(sound: Sound): void {
  if (settings.volume > 0) sample(sound, settings.volume);
}

/** Play a sound whatever the reader has chosen. */
export function sample(sound: Sound, volume: number): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const out = context.createGain();
  out.gain.value = volume * 0.5;
  out.connect(context.destination);
  SCORES[sound](context, out, context.currentTime);
}

type Score = (context: AudioContext, out: AudioNode, now: number) => void;

const SCORES: Record<Sound, Score> = {
  card: (c, out, now) => rush(c, out, now, 0.09, 3200, 0.35),
  sweep: (c, out, now) => rush(c, out, now, 0.35, 1800, 0.4),
  stamp(c, out, now) {
    tone(c, out, now, 0.16, 95, 0.9);
    rush(c, out, now, 0.05, 900, 0.5);
  },
  train(c, out, now) {
    for (let i = 0; i < 2; i++) {
      tone(c, out, now + i * 0.09, 0.07, 180 - 20 * i, 0.6);
      rush(c, out, now + i * 0.09, 0.03, 1500, 0.3);
    }
  },
  turn(c, out, now) {
    tone(c, out, now, 0.25, 523, 0.35);
    tone(c, out, now + 0.13, 0.35, 659, 0.35);
  },
  bell(c, out, now) {
    for (const [partial, strength] of [[1, 0.4], [2.76, 0.2], [5.4, 0.1]] as const)
      tone(c, out, now, 1.4, 392 * partial, strength);
  },
  end(c, out, now) {
    [523, 659, 784, 1047].forEach((pitch, i) => tone(c, out, now + i * 0.14, 0.6, pitch, 0.3));
  },
  word: (c, out, now) => tone(c, out, now, 0.12, 880, 0.15),
};

function tone(c: AudioContext, out: AudioNode, at: number, length: number, pitch: number, strength: number): void {
  const source = new OscillatorNode(c, { type: "sine", frequency: pitch });
  source.connect(fading(c, out, at, length, strength));
  source.start(at);
  source.stop(at + length);
}

function rush(c: AudioContext, out: AudioNode, at: number, length: number, pitch: number, strength: number): void {
  noise ??= whiteNoise(c);
  const source = new AudioBufferSourceNode(c, { buffer: noise });
  const filter = new BiquadFilterNode(c, { type: "bandpass", frequency: pitch, Q: 0.8 });
  source.connect(filter).connect(fading(c, out, at, length, strength));
  source.start(at);
  source.stop(at + length);
}

function fading(c: AudioContext, out: AudioNode, at: number, length: number, strength: number): GainNode {
  const gain = c.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(strength, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(out);
  return gain;
}

function whiteNoise(c: AudioContext): AudioBuffer {
  const buffer = c.createBuffer(1, c.sampleRate / 2, c.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
