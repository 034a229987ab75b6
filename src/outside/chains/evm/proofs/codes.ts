/** Contract code that was proved before. */
import type { Hex } from '../../chain.ts'

/** Contract code by its hash, which identifies it fully. */
export interface Codes {
  get(hash: Hex): Hex | undefined
  keep(hash: Hex, code: Hex): void
}

/** The size limit of the kept code, in characters. The oldest code leaves first. */
const mostKept = 8 * 1024 * 1024

export function openCodes(): Codes {
  const codes = new Map<Hex, Hex>()
  let length = 0
  return {
    get: (hash) => codes.get(hash),
    keep(hash, code) {
      if (codes.has(hash)) return
      codes.set(hash, code)
      length += code.length
      for (const [oldest, { length: freed }] of codes) {
        if (length <= mostKept) break
        codes.delete(oldest)
        length -= freed
      }
    },
  }
}
