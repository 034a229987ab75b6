/** What is asked of IPFS: that bytes stay readable under the name that they have there. */
export interface Ipfs {
  /**
   * Pins the bytes and returns their CID, which is computed here. May be repeated: what is pinned already is found again.
   * Errors: OutsideError, also when the other side names another CID; a plain Error above `largestSnapshotBytes`.
   */
  pin(bytes: Uint8Array, name: string): Promise<Pinned>
}

export interface Pinned {
  /** CIDv1, base32. */
  readonly cid: string
  readonly size: number
  /** Where people can read it, when a gateway is configured. */
  readonly gateway: string | undefined
  /** Paths of the settings that name who keeps it. */
  readonly source: string
}

/** One block, which every node takes whole. A longer file would be a tree of blocks, with another kind of CID. */
export const largestSnapshotBytes = 1024 * 1024
