/**
 * Places in memory that requests of all networks share. When all are taken, the network with the most gives up one of
 * its own. So no network can displace all others, while one network alone can use all. db/network-share.ts is the same
 * rule for rows.
 */
import { findScope } from './request-scope.ts'

export class NetworkPlaces<Holder> {
  readonly #most: number
  readonly #networkOf = new Map<Holder, string>()
  /** In the order in which they came. */
  readonly #holders = new Map<string, Set<Holder>>()

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#networkOf.size
  }

  /** A place for the network of the request that is served, full or not. */
  take(holder: Holder): void {
    this.leave(holder)
    const network = readCallerNetwork()
    this.#networkOf.set(holder, network)
    this.#holders.set(network, (this.#holders.get(network) ?? new Set<Holder>()).add(holder))
  }

  leave(holder: Holder): void {
    const network = this.#networkOf.get(holder)
    if (network === undefined) return
    this.#networkOf.delete(holder)
    const ofNetwork = this.#holders.get(network)
    ofNetwork?.delete(holder)
    if (ofNetwork?.size === 0) this.#holders.delete(network)
  }

  /** The number of places of the served request's network. */
  countOwn(): number {
    return this.#holders.get(readCallerNetwork())?.size ?? 0
  }

  /** Above the number of places: the oldest of the network with the most. */
  findExcess(): Holder | undefined {
    if (this.size <= this.#most) return undefined
    const [oldest] = this.#findLargest()
    return oldest
  }

  /**
   * The holder that makes room for the served request. Undefined while a place is free, else the newest of the network
   * with the most. `none` when the requesting network would then have as many as that one.
   */
  findGivingWay(): Holder | 'none' | undefined {
    if (this.size < this.#most) return undefined
    const largest = this.#findLargest()
    return this.countOwn() + 1 < largest.size ? [...largest].at(-1)! : 'none'
  }

  /** For work that cannot be stopped: one network has a quarter of the places. */
  hasRoom(): boolean {
    return this.size < this.#most && this.countOwn() < Math.max(1, Math.floor(this.#most / 4))
  }

  #findLargest(): Set<Holder> {
    let largest = new Set<Holder>()
    for (const holders of this.#holders.values()) if (holders.size > largest.size) largest = holders
    return largest
  }
}

/** Work that no request started counts as one network. */
const readCallerNetwork = (): string => findScope()?.network ?? ''
