/**
 * Makes a value when it is first asked for, and keeps it. For what few requests need and takes time to make: a parsed
 * ABI, a table, a shape. Made at module level, it would be made before the first answer of every start.
 */
export function defer<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
