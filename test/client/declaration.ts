/** For the compiler: the module has exactly the types that module.d.ts says. This file never runs. */
import * as source from '../../src/client/client.ts'
import type * as declared from '../../src/client/module.d.ts'

type Source = typeof source
type Declared = typeof declared

/** The module exports everything that is declared. */
export const kept: Declared = source
/** The declaration covers everything that the module exports. */
export const told = (module: Declared): Source => module

/** No member is any, which would be assignable to everything. */
type IsAny<T> = 0 extends 1 & T ? true : false
type AnyOf<T> = { [Name in keyof T]-?: IsAny<T[Name]> extends true ? Name : never }[keyof T]
export const noneIsAny: [AnyOf<Source>, AnyOf<Declared>, AnyOf<declared.Client>, AnyOf<declared.Proof>] extends [
  never,
  never,
  never,
  never,
]
  ? true
  : false = true
