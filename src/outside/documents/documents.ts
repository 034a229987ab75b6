/**
 * Documents at addresses that strangers wrote. Only public https addresses on the default port are called. No call is
 * repeated and no redirect is followed. So no stranger can reach other ports or hosts through this server.
 */
import { NetworkPlaces } from '../../network-places.ts'
import { OutsideError } from '../failure.ts'
import type { AddressGuard } from '../http/address-guard.ts'
import { exchange, openConnections } from '../http/exchange.ts'
import type { OutsideAnswer } from '../http/message.ts'

export interface Documents {
  /** Returns any status. Errors: OutsideError. */
  get(address: string): Promise<OutsideAnswer>
}

export interface DocumentPolicy {
  readonly guard: AddressGuard
  readonly timeoutMs: number
}

const setting = 'oauth.client_metadata_documents'
const maxBytes = 65_536
/** Each call may take seconds and holds a connection, so one network gets a quarter of them. */
const mostAtOnce = 16

export function openDocuments({ guard, timeoutMs }: DocumentPolicy): Documents {
  const underWay = new NetworkPlaces<object>(mostAtOnce)
  return {
    async get(address) {
      if (!underWay.hasRoom())
        throw new OutsideError('rate-limited', setting, 'is asked for too often at the moment', 'try again later')
      const url = new URL(address)
      const request = { method: 'GET', headers: { accept: 'application/json' }, once: true } as const
      underWay.take(request)
      try {
        return await exchange(setting, url, request, { guard, timeoutMs, maxBytes }, openConnections(url))
      } finally {
        underWay.leave(request)
      }
    },
  }
}
