/** Messages about every argument of every tool, broken at every place that the schema of the tool describes. */
import { describe, expect, test } from 'bun:test'
import { breakEverywhere, type Described, makeSample } from '../bad-input/broken-values.ts'
import { findFault, findInside } from '../bad-input/plain-message.ts'
import { startMcp } from './mcp.ts'

const app = await startMcp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const token = await app.tokenOf()
const { body } = await app.send(token, 'tools/list')
const tools: readonly { readonly name: string; readonly inputSchema: Described }[] = body.result.tools

describe.each(tools.map((one) => [one.name, one.inputSchema] as const))('messages of %s', (name, schema) => {
  test('name the argument in plain words', async () => {
    const { properties = {} } = schema
    for (const value of breakEverywhere(schema, makeSample(schema))) {
      const { isError, data } = await app.tool(token, name, value as object)
      if (!isError) continue
      const { error } = data
      expect(findFault({ details: {}, ...error })).toBeUndefined()
      if (error.code === 'INVALID_ARGUMENTS') expect(error.message).toContain(error.details?.argument ?? name)
      for (const step of data.nextSteps ?? []) expect([step, findInside(step)]).toEqual([step, undefined])
    }
    const { data } = await app.tool(token, name, { ...(makeSample({ type: 'object', properties }) as object), none: 1 })
    expect(data.error.message).toStartWith(`argument none is not an argument of ${name}`)
  })
})
