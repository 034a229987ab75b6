/** The parts of a valid definition that this deployment does not support: verifiers, payment methods. */

import { findPaymentMethod, nameMethod } from '../../payments/methods.ts'
import { findObstacle } from '../../payments/offer.ts'
import type { PaymentTools } from '../../payments/payment.ts'
import type { Price } from '../../payments/price.ts'
import type { Catalog } from '../../verifiers/index.ts'
import type { GateDefinition, KeptDefinition } from '../gate.ts'
import { isGuestList } from '../guests/guest-list.ts'
import { type Finding, makeError, makeWarning, type Path } from './finding.ts'

export interface HereTools extends PaymentTools {
  readonly catalog: Catalog
}

/**
 * Errors make a gate GATE_MISCONFIGURED while it is active: its owner sees the sentence, a buyer only the code.
 * Warnings name features that work in part.
 */
export const listUnsupported = (definition: GateDefinition | KeptDefinition, tools: HereTools): Finding[] =>
  [...checkVerifiers(definition, tools.catalog), ...(definition.price ? checkPrice(definition.price, tools) : [])].map(
    (finding) => ({ ...finding, isAboutHere: true }),
  )

export const refuseUnknownVerifier = (path: Path, id: string, catalog: Catalog): Finding => ({
  ...makeError(path, 'UNKNOWN_VERIFIER', { why: catalog.absence(id) }),
  unknown: { typed: id, known: [...catalog.known.keys()] },
})

const checkVerifiers = ({ requirements }: Pick<KeptDefinition, 'requirements'>, catalog: Catalog): Finding[] =>
  requirements.flatMap(({ verifierId }, at): Finding[] => {
    if (isGuestList({ verifierId })) return []
    const path = ['requirements', at, 'verifierId']
    if (!catalog.known.has(verifierId)) return [refuseUnknownVerifier(path, verifierId, catalog)]
    // Proofs of an earlier time still count, so that the gate is not dead.
    return catalog.enabled.has(verifierId)
      ? []
      : [makeWarning(path, 'VERIFIER_NOT_OFFERED', { why: catalog.absence(verifierId) })]
  })

/** Whether the price can be paid at all, and in which of the ways it names. */
export function checkPrice(price: Price, tools: PaymentTools): Finding[] {
  const obstacles = price.methods.map((id, at) => {
    const method = findPaymentMethod(id)
    const isOfServer = method?.findMissingConfiguration(tools) !== undefined || method === undefined
    const code = isOfServer ? ('METHOD_NOT_SET_UP' as const) : ('METHOD_PRICE' as const)
    return { at, id, code, why: findObstacle(method, price, tools) }
  })
  const isDead = obstacles.every(({ why }) => why !== undefined)
  return obstacles.flatMap(({ at, id, code, why }) =>
    why === undefined
      ? []
      : [(isDead ? makeError : makeWarning)(['price', 'methods', at], code, { method: nameMethod(id), why })],
  )
}
