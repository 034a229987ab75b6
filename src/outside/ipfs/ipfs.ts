/** The interface to IPFS: keeps bytes readable under their content id. */
export interface Ipfs {
  /**
   * Pins the bytes and returns their CID, which is computed here. It may be repeated: pinned bytes are found again.
   * Errors: OutsideError, also when the other side names another CID; a plain Error above `largestSnapshotBytes`.
   */
  pin(bytes: Uint8Array, name: string): Promise<Pinned>
}

export interface Pinned {
  /** CIDv1, base32. */
  readonly cid: string
  readonly size: number
  /** The public address of the content, when a gateway is configured. */
  readonly gateway: string | undefined
  /** Setting paths of the services that keep it. */
  readonly source: string
}

/** One block, which every node takes whole. A longer file would be a tree of blocks, with another kind of CID. */
export const largestSnapshotBytes = 1024 * 1024
