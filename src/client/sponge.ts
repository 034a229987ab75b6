/**
 * Keccak-256 and SHAKE-256, 256 bits of each: one permutation (FIPS 202 §3) and two paddings. We have our own to keep
 * the module small: @noble/hashes takes 2.6 of its 8 kB, this 0.6. It hashes only public texts, so it needs no
 * protection against side channels.
 */

/** Bytes absorbed at a time: the rate of both (FIPS 202 §6). */
const rate = 136

/** The Keccak that Ethereum adopted before NIST changed the padding. */
export const hashKeccak256 = (bytes: Uint8Array): Uint8Array => absorb(bytes, 0x01)

export const hashShake256 = (bytes: Uint8Array): Uint8Array => absorb(bytes, 0x1f)

function absorb(bytes: Uint8Array, suffix: number): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate)
  padded.set(bytes)
  padded[bytes.length] = suffix
  padded[padded.length - 1]! |= 0x80
  // Words are little-endian, whatever the machine is.
  const view = new DataView(padded.buffer)
  const state = new Int32Array(50)
  for (let block = 0; block < padded.length; block += rate) {
    for (let word = 0; word < rate / 4; word++) state[word]! ^= view.getInt32(block + word * 4, true)
    permute(state)
  }
  for (let word = 0; word < 8; word++) view.setInt32(word * 4, state[word]!, true)
  return padded.slice(0, 32)
}

/** The lower word of a lane rotated left by 0 to 31 bits. Swap the two words for the upper one. */
const rotateLeft = (word: number, other: number, bits: number): number =>
  (word << bits) | ((other >>> 1) >>> (31 - bits))

/** Keccak-f[1600]. A lane of 64 bits is two words, the lower one first. The lane (x, y) begins at 2x + 10y. */
function permute(state: Int32Array): void {
  const kept = new Int32Array(10)
  let feedback = 1
  for (let round = 0; round < 24; round++) {
    // theta
    for (let x = 0; x < 10; x++) kept[x] = state[x]! ^ state[x + 10]! ^ state[x + 20]! ^ state[x + 30]! ^ state[x + 40]!
    for (let x = 0; x < 10; x++) {
      const right = (x + 2) % 10
      // The other word of a lane is next to it.
      const change = kept[(x + 8) % 10]! ^ rotateLeft(kept[right]!, kept[right ^ 1]!, 1)
      for (let at = x; at < 50; at += 10) state[at]! ^= change
    }

    // rho and pi: each lane moves to the next place of one path, rotated by the next triangular number
    let low = state[2]!
    let high = state[3]!
    for (let step = 1, x = 1, y = 0, bits = 0; step < 25; step++) {
      const row = (2 * x + 3 * y) % 5
      x = y
      y = row
      bits = (bits + step) & 63
      const at = 2 * x + 10 * y
      const nextLow = state[at]!
      const nextHigh = state[at + 1]!
      // From 32 bits on the two words swap places.
      const swap = bits >> 5
      state[at + swap] = rotateLeft(low, high, bits & 31)
      state[at + 1 - swap] = rotateLeft(high, low, bits & 31)
      low = nextLow
      high = nextHigh
    }

    // chi
    for (let row = 0; row < 50; row += 10) {
      kept.set(state.subarray(row, row + 10))
      for (let x = 0; x < 10; x++) state[row + x]! ^= ~kept[(x + 2) % 10]! & kept[(x + 4) % 10]!
    }

    // iota: the constants come out of a feedback register, at the bits 0, 1, 3, 7, 15, 31 and 63
    for (let bit = 1; bit < 128; bit *= 2) {
      if (feedback & 1) state[bit >> 6]! ^= 1 << (bit - 1)
      feedback = (feedback << 1) ^ ((feedback >> 7) * 0x171)
    }
  }
}
