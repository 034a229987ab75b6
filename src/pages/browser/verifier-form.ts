/** What a verifier needs from a person, as a form, and what the forms of several verifiers share. */
import type { VerifyModel } from '../verify-model.ts'
import type { Child } from './dom.ts'
import type { Field, Values } from './form.ts'
import type { Journey } from './journey.ts'
import type { Person } from './person.ts'

export interface VerifierForm {
  readonly fields: readonly Field[]
  /** Shown below the fields, and told of every change. */
  readonly more?: { readonly element: Child; update?(values: Values): void }
  /** On the button. */
  readonly submit?: string
  /** Errors: FormFault. */
  data(values: Values): object | Promise<object>
  /** Of the proof, besides who sees it. */
  options?(values: Values): object
}

/** Something that no single field's rule can say. */
export class FormFault extends Error {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message)
  }
}

export interface Asked {
  readonly model: VerifyModel
  readonly person: Person
  /** By the names of members of `data`: what a gate asks for exactly. */
  readonly fixed: Readonly<Record<string, string>>
  /** The agent that was set up a step before. */
  readonly agent?: ReturnType<Journey['findAgent']>
  /** JSON Schema of `data`, for verifiers without a form of their own. */
  readonly dataSchema?: object | undefined
}

export const anyAddress = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|[a-z0-9._-]{2,64})$/

/** Without the members that are not there: what is signed says only what was said. */
export const present = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))
