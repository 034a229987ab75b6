/** The payment methods of this server, as its page names them. */
import type { ShownMethod } from '../../dashboard-model.ts'
import { model } from './model.ts'

export const { paymentMethods } = model

/** By id or name. */
export const findMethod = (word: string): ShownMethod | undefined =>
  paymentMethods.find(({ id, name }) => id === word || name === word)

export const isPaidOnChain = (name: string): boolean => findMethod(name)?.isPaidOnChain ?? true

export const labelMethod = (name: string): string => findMethod(name)?.label ?? name
