/** Names of payment methods in definitions: both come in, ids are kept, names go out. */
import { findPaymentMethod, nameMethod } from '../../payments/methods.ts'
import type { Price } from '../../payments/price.ts'
import type { KeptDefinition } from '../gate.ts'

/** Replaces the names of methods by their ids in a submitted definition. Unknown names stay, and are refused later. */
export function replaceMethodNames(written: unknown): unknown {
  const { price } = (written ?? {}) as { readonly price?: unknown }
  const { methods } = (price ?? {}) as { readonly methods?: unknown }
  if (!Array.isArray(methods)) return written
  const ids = methods.map((name) => (typeof name === 'string' ? (findPaymentMethod(name)?.id ?? name) : name))
  return { ...(written as object), price: { ...(price as object), methods: ids } }
}

export type ShownDefinition = Omit<KeptDefinition, 'price'> & { readonly price?: Price }

/** A definition as it goes out. */
export function showDefinition({ price, ...definition }: KeptDefinition): ShownDefinition {
  return price ? { ...definition, price: { ...price, methods: price.methods.map(nameMethod) } } : definition
}
