/**
 * Client ID Metadata Documents: a client_id that is the https address of a document about the client. What the document
 * says is as unchecked as a registration, but the address says whose it is.
 */
import type { Parts } from '../parts.ts'
import type { Client } from './client.ts'
import { OAuthError } from './refusal.ts'

export interface ClientDocuments {
  /** Errors: OAuthError invalid_client for a document that cannot be had or does not fit. */
  find(address: string): Promise<Client>
}

/** An https address with a path, without anything that two readers could read differently. */
export function isDocumentAddress(clientId: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(clientId) || clientId.length > 2048 || !URL.canParse(clientId)) return false
  const { href, pathname, hash, username, password, search } = new URL(clientId)
  return href === clientId && pathname !== '/' && hash === '' && username === '' && password === '' && search === ''
}

/** Undefined unless oauth.client_metadata_documents is on. */
export function openClientDocuments(parts: Parts): ClientDocuments | undefined {
  if (!parts.config.oauth.clientMetadataDocuments) return undefined
  return {
    async find() {
      throw new OAuthError('invalid_client', 'not yet')
    },
  }
}
