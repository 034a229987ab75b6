/** The definition of a tool, and the one place that checks, makes and answers a call. */

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { GrantScope, Identity } from '../auth/identity.ts'
import { suggestNearest } from '../config/suggest.ts'
import { makeRefusal } from '../http/refusal.ts'
import { nameMember } from '../member-name.ts'
import type { Parts } from '../parts.ts'
import { findScope } from '../request-scope.ts'
import {
  type Check,
  compileCheck,
  explainExpectation,
  explainMissing,
  type ShapeFault,
  takeFirstFaults,
} from '../shape.ts'
import { fitAnswer } from './fit-answer.ts'
import { chooseNextStep } from './next-step.ts'
import { ToolRefusal } from './tool-refusal.ts'
import type { OfferedTool, ToolAnswer } from './transport.ts'

/** The caller: the person, and the app that the request's header names. */
export interface Asker {
  readonly identity: Identity
  readonly appId: string | undefined
}

export interface Caller extends Asker {
  readonly parts: Parts
  /** The name of another tool, as clients know it. */
  readonly toolName: (tool: ToolName) => string
}

/** Without the brand, in the order of the list. */
export const toolNames = [
  'context',
  'verifiers_catalog',
  'proofs_check',
  'verify_or_guide',
  'verify',
  'proofs_get',
  'agent_create',
  'agent_link',
  'agent_mount',
  'secret_create',
  'secret_list',
  'secret_revoke',
] as const
export type ToolName = (typeof toolNames)[number]

export interface Tool<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  /** Without the brand. */
  readonly name: ToolName
  readonly title: string
  /** For a model: what it does, when to use it, what to know. Tool names in it are written `{brand}_context`. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Arguments that are looked for here and belong to another tool. */
  readonly elsewhere?: Readonly<Record<string, ToolName>>
  readonly annotations: OfferedTool['annotations']
  /** The scopes that a call needs. The second form is for tools where only some calls need more. */
  readonly needs:
    | readonly GrantScope[]
    | ((
        args: Static<Input>,
        identity: Identity,
        parts: Parts,
      ) => readonly GrantScope[] | Promise<readonly GrantScope[]>)
  /** Errors: AppError, whose message is for the model. */
  run(args: Static<Input>, caller: Caller): Promise<Static<Output>> | Static<Output>
  /** The text beside the structured answer, where it is not that answer as JSON. */
  text?(output: Static<Output>): string
}

/** Only infers the types, so that each file states its schemas once. */
export const defineTool = <Input extends TObject, Output extends TObject>(tool: Tool<Input, Output>): Tool =>
  tool as unknown as Tool

export const writeBrandedName = (brand: string, { name }: Pick<Tool, 'name'>): string => `${brand}_${name}`

/** Annotations of tools that only look. */
export const looksOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

export interface Toolbox {
  /** Written when first asked, because a server that nobody lists starts faster without it. */
  listOffered(): readonly OfferedTool[]
  /** The scopes that a call needs beyond core, or undefined for a tool that there is not. */
  findNeeds(name: string, args: unknown, identity: Identity): Promise<readonly GrantScope[] | undefined>
  call(name: string, args: Readonly<Record<string, unknown>>, asker: Asker): Promise<ToolAnswer | undefined>
}

/** Descriptions, of tools and in their schemas, name other tools as `{brand}_context`. */
const fillBrand = (text: string, brand: string): string => text.replaceAll('{brand}', brand)

const writeSchema = (schema: TSchema, brand: string): object => JSON.parse(fillBrand(JSON.stringify(schema), brand))

interface Ready {
  readonly tool: Tool
  readonly input: Check<TObject>
  readonly output: Check<TSchema>
}

export function makeToolbox(tools: readonly Tool[], parts: Parts): Toolbox {
  const { brand } = parts.config
  const writeToolName = (name: ToolName): string => writeBrandedName(brand, { name })
  const byName = new Map<string, Ready>(
    tools.map((tool) => [
      writeBrandedName(brand, tool),
      { tool, input: compileCheck(tool.input), output: compileCheck(tool.output) },
    ]),
  )
  let offered: readonly OfferedTool[] | undefined
  return {
    listOffered: () => (offered ??= tools.map((tool) => describeOffered(tool, brand))),
    async findNeeds(name, args, identity) {
      const found = byName.get(name)
      if (!found) return undefined
      const { needs } = found.tool
      if (typeof needs !== 'function') return needs
      return found.input.Check(args ?? {}) ? needs((args ?? {}) as never, identity, parts) : []
    },
    async call(name, args, asker) {
      const ready = byName.get(name)
      return ready && (await answerTool(ready, name, args, { ...asker, parts, toolName: writeToolName }))
    },
  }
}

const describeOffered = (tool: Tool, brand: string): OfferedTool => ({
  name: writeBrandedName(brand, tool),
  title: tool.title,
  description: fillBrand(tool.description, brand),
  inputSchema: writeSchema(tool.input, brand),
  outputSchema: writeSchema(tool.output, brand),
  annotations: tool.annotations,
})

async function answerTool(
  { tool, input, output }: Ready,
  name: string,
  args: unknown,
  caller: Caller,
): Promise<ToolAnswer> {
  try {
    requireOwn(args, name, tool, caller)
    if (!input.Check(args)) throw refuseArguments(name, input.Errors(args), tool.input)
    const found = await tool.run(args as never, caller)
    if (!output.Check(found)) {
      const fault = output.Errors(found).First()
      throw new Error(`the answer of ${name} is not of its shape at ${fault?.path}: ${fault?.message}`)
    }
    const structured = found as Readonly<Record<string, unknown>>
    const text = tool.text?.(found as never) ?? JSON.stringify(structured)
    const fitted = fitAnswer({ text, structured, isError: false })
    if (fitted) return fitted
    throw new ToolRefusal('ANSWER_TOO_LARGE', 'the answer is above 2 MB. What the call changed is done', {
      action: 'ask_for_less',
      steps: ['Ask for less: a smaller limit, one proof by its qHash, or fewer members.'],
    })
  } catch (error) {
    return { text: JSON.stringify(makeToolRefusal(error, name, caller)), isError: true }
  }
}

/** Errors: ToolRefusal, for an argument of another tool. */
function requireOwn(args: unknown, name: string, { elsewhere = {} }: Tool, { toolName }: Caller): void {
  const [argument, tool] =
    Object.entries(elsewhere).find(([one]) => typeof args === 'object' && args !== null && Object.hasOwn(args, one)) ??
    []
  if (argument === undefined || tool === undefined) return
  throw new ToolRefusal(
    'INVALID_ARGUMENTS',
    `argument ${argument} is not an argument of ${name}: it belongs to ${toolName(tool)}`,
    { action: 'fix_arguments_then_retry', steps: [`Call ${toolName(tool)} with ${argument}, or ${name} without it.`] },
    { argument },
  )
}

/** Names the argument and the rule, never the value: it may be a secret. */
function refuseArguments(name: string, faults: Iterable<ShapeFault>, { properties }: TObject): ToolRefusal {
  const [fault, ...alsoMissing] = takeFirstFaults(faults)
  const path = fault?.path ?? ''
  const [argument = ''] = path.slice(1).split('/')
  const isUnknown = fault?.message === 'Unexpected property'
  const meant = isUnknown ? suggestNearest(argument.slice(0, 80), Object.keys(properties)) : undefined
  const suggestion = meant === undefined ? '' : `: did you mean ${meant}?`
  const rule = isUnknown ? `is not an argument of ${name}${suggestion}` : explainExpectation(fault)
  return new ToolRefusal(
    'INVALID_ARGUMENTS',
    fault && alsoMissing.length > 0
      ? `arguments ${explainMissing([fault, ...alsoMissing])}`
      : argument === ''
        ? `the arguments of ${name} ${rule}`
        : `argument ${nameMember(path)} ${rule}`,
    {
      action: 'fix_arguments_then_retry',
      steps: [
        `Call ${name} again with the argument corrected. It takes: ${Object.keys(properties).join(', ') || 'no arguments'}.`,
      ],
    },
    { argument: argument || null },
  )
}

function makeToolRefusal(error: unknown, name: string, { parts, toolName }: Caller) {
  if (error instanceof ToolRefusal) return makeToolAnswer(error.code, error.message, error.details, error.next)
  const refusal = makeRefusal(error, '', { request: nowhere, listMethods: () => [] })
  if (refusal.code === 'INTERNAL_ERROR')
    parts.log.count({
      level: 'error',
      event: 'mcp-tool-failed',
      message: 'a tool failed',
      kind: name,
      error,
      fields: { tool: name, mend: 'a fault of the program or of its database: report it with the stack' },
      requestId: findScope()?.requestId,
    })
  return makeToolAnswer(
    refusal.code,
    refusal.message,
    refusal.details,
    chooseNextStep(refusal, parts.catalog, toolName('verifiers_catalog')),
  )
}

/** refusalOf() looks at the request only for a path that there is not. */
const nowhere = new Request('http://localhost/')

const makeToolAnswer = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>>,
  { action, steps }: ToolRefusal['next'],
) => ({
  success: false,
  error: { code, message, details },
  message,
  next_action: action,
  nextSteps: [...steps],
})
