/** `proofgate gates test FILE`: decides the example cases of a policy file by the code that decides for real. */

import type { DefineTools } from '../gates/definition/define.ts'
import { decideExample, type ExampleResult, type ExampleTools } from '../gates/manage/example.ts'
import { exitCodes, type Terminal } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { type FileFinding, readPolicyFile } from './gates-file.ts'
import { makePalette } from './palette.ts'

interface GateResult {
  readonly gateId: string
  readonly cases: readonly ExampleResult[]
}

export async function runTestFile(
  tools: DefineTools & ExampleTools,
  file: string,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const { policy, findings } = await readPolicyFile(file, { terminal, define: tools, isTest: true })
  if (!policy) {
    if (asJson) terminal.out(`${JSON.stringify({ ok: false, findings })}\n`)
    else terminal.err(`${findings.map(({ message }) => escapeInvisible(message)).join('\n')}\n`)
    return exitCodes.usage
  }
  const gates: GateResult[] = []
  for (const { definition, examples } of policy.gates) {
    const cases: ExampleResult[] = []
    for (const example of examples) cases.push(await decideExample(definition, example, tools))
    gates.push({ gateId: definition.gateId, cases })
  }
  const ok = gates.every(({ cases }) => cases.every(({ isRight }) => isRight))
  terminal.out(asJson ? `${JSON.stringify({ ok, gates, findings })}\n` : report(gates, findings, terminal))
  return ok ? exitCodes.done : exitCodes.negative
}

function report(gates: readonly GateResult[], findings: readonly FileFinding[], terminal: Terminal): string {
  const { bold, dim, green, red, yellow } = makePalette(terminal.isPerson)
  const cases = gates.flatMap((gate) => gate.cases)
  const wrong = cases.filter(({ isRight }) => !isRight).length
  const writeLines = (one: ExampleResult): string[] => [
    `  ${one.isRight ? green('ok   ') : red('WRONG')}  ${escapeInvisible(one.name)}`,
    ...(one.isRight ? [] : [`         expected ${writeExpectation(one)}, found ${one.found}`]),
    ...one.reasons.map(({ id, code, message }) => dim(`         ${id}: ${code}: ${escapeInvisible(message)}`)),
  ]
  return [
    ...gates.flatMap(({ gateId, cases }) => [
      bold(gateId),
      ...(cases.length === 0 ? ['  has no cases'] : cases.flatMap(writeLines)),
    ]),
    '',
    ...findings.map(({ message }) => yellow(`Note: ${escapeInvisible(message)}`)),
    wrong === 0
      ? `${cases.length === 1 ? '1 case is' : `${cases.length} cases are`} decided as expected.`
      : red(`${wrong} of ${cases.length} cases ${wrong === 1 ? 'is' : 'are'} decided otherwise.`),
    '',
  ].join('\n')
}

const writeExpectation = ({ expected, because }: ExampleResult): string =>
  because === undefined ? expected : `${expected} because of ${because}`
