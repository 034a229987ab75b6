import type { EndsWith } from './ends-with.tsx'

export interface Key {
  readonly keyId: string
  readonly prefix: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly endsWith: EndsWith
}

export interface MadeKey extends Key {
  /** The only time it is seen. */
  readonly key: string
}
