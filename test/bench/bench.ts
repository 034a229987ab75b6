/**
 * `bun run bench` gives peers made of well-known packages and Proofgate's executable the same work on the same cores.
 * It prints the tables of this folder's README.md. Peers live in peers/, with packages of their own (package.json
 * here).
 *
 * For a fair comparison, each run holds every server to the same rules. Every server uses WAL and synchronous=FULL,
 * refuses a forged request, and stores a repeated one once. After the load it is killed without warning, and its
 * database must hold every acknowledged proof.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const help = `usage: bun run bench [options]

  --rounds N         how often each server runs; medians are printed (default 5, at least 3 to mean much)
  --requests N       what Proofgate and the ceiling are sent per round; the peers get a fifth (default 10000)
  --only PART        speed, create, growth, gates, several, start, dashboard, first-proof, refresh, tools, bearer, monitoring, continuous, restore, erasing, check (from source) or worst
  --executable FILE  measure this one instead of building dist/proofgate
  --source           parts erasing and worst: run src/main.ts in place of an executable
  --restored N       part restore: how many proofs there are (default 1000000)
  --erased N         part erasing: how many proofs of one wallet are erased (default 100000)
  --profile FILE     part create: write a flame graph of the server at 20,000 stored proofs to FILE (SVG; needs perf)
  --json FILE        also write all figures to FILE
  --help`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '10000' },
    only: { type: 'string' },
    executable: { type: 'string' },
    source: { type: 'boolean', default: false },
    restored: { type: 'string', default: '1000000' },
    erased: { type: 'string', default: '100000' },
    profile: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) {
  console.log(help)
  process.exit(0)
}
const rounds = wholeNumber('rounds', options.rounds)
const requests = wholeNumber('requests', options.requests)
const restored = wholeNumber('restored', options.restored)
const erased = wholeNumber('erased', options.erased)
const { only } = options
const partNames =
  'speed create growth gates several start dashboard first-proof refresh tools bearer monitoring continuous restore erasing check worst'.split(
    ' ',
  )
if (only !== undefined && !partNames.includes(only)) refuse(`--only knows ${partNames.join(', ')}, not ${only}`)

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

if (options.profile !== undefined && only !== 'create') refuse('--profile goes with --only create')

const say = (line: string) => console.error(line)
if (options.source && only !== 'worst' && only !== 'erasing') refuse('--source goes with --only erasing or worst')
const isFromSource = options.source || only === 'check'
const executable = isFromSource ? '' : resolve(options.executable ?? buildExecutable())

// These imports load packages, so they come after the arguments are checked.
const { checking, configFile, configText, contenders, costs, fromSource, goals, ours } = await import('./contenders.ts')
const { measureSpeed } = await import('./speed.ts')
const { createCosts, createGoals, createServers, measureCreates, profileCreates } = await import('./create.ts')
const { measureGrowth } = await import('./growth.ts')
const { measureGateChecks } = await import('./gate-check.ts')
const { measureStart } = await import('./start.ts')
const { measureDashboard } = await import('./dashboard.ts')
const { measureFirstProof } = await import('./first-proof.ts')
const { measureRefresh, refreshGoals, tokenServers } = await import('./refresh.ts')
const { measureToolLists, toolGoals, toolServers } = await import('./tools-list.ts')
const { measureBearerCheck } = await import('./bearer.ts')
const { measureErasing } = await import('./erasing.ts')
const { measureMonitoring, monitoringGoals, watchedServers } = await import('./monitoring.ts')
const { measureShipping, shippingGoals, shippingServers } = await import('./continuous.ts')
const { measureRestore } = await import('./restore.ts')
const { measureCheck } = await import('./check.ts')
const { measureWorst } = await import('./worst.ts')
const { worstTable } = await import('./worst-table.ts')
const { measureSeveral } = await import('./several.ts')
const report = await import('./report.ts')
const { workFolder } = await import('./server.ts')

mkdirSync(workFolder, { recursive: true })
await Bun.write(configFile, configText)
const hasOurs = existsSync(executable)

const machine = report.describeMachine()
const figures: Record<string, unknown> = { machine, rounds, requests }
const parts: string[] = [report.machineText(machine)]

if (only === undefined || only === 'speed') {
  installPeers()
  const list = contenders(executable, say)
  const runs = await measureSpeed(list, rounds, requests, say)
  const judged = report.judgeGoals(goals, list, runs)
  figures.speed = Object.fromEntries(runs)
  figures.goals = judged
  const shown = report.speedTable(list, runs, { one: 'proof', many: 'proofs' })
  const judgedCosts = report.costTable(costs, list, runs)
  parts.push(`64 connections, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'proof'), judgedCosts)
}
if (hasOurs && (only === undefined || only === 'create')) {
  const list = createServers(executable)
  if (options.profile !== undefined) await profileCreates(executable, requests, options.profile, say)
  const runs = await measureCreates(list, rounds, requests, say)
  const judged = report.judgeGoals(createGoals, list, runs)
  figures.create = { runs: Object.fromEntries(runs), goals: judged }
  const shown = report.speedTable(list, runs, { one: 'proof', many: 'proofs' })
  const costs = report.costTable(createCosts, list, runs)
  parts.push(`A created proof, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'proof'), costs)
}
if (hasOurs && (only === undefined || only === 'growth')) {
  const lines = await measureGrowth(ours(executable), rounds, say)
  figures.growth = lines
  parts.push(report.growthTable(lines))
}
if (hasOurs && (only === undefined || only === 'gates')) {
  const lines = await measureGateChecks(ours(executable), rounds, say)
  figures.gates = lines
  parts.push(report.gateCheckTable(lines))
}
if (hasOurs && (only === undefined || only === 'several')) {
  const lines = await measureSeveral(executable, { rounds, requests }, say)
  figures.several = lines
  parts.push(report.severalTable(lines))
}
if (hasOurs && (only === undefined || only === 'start')) {
  const start = await measureStart(ours(executable))
  figures.start = start
  parts.push(report.startTable(start))
}
if (hasOurs && (only === undefined || only === 'dashboard')) {
  const lines = await measureDashboard(ours(executable), rounds, say)
  figures.dashboard = lines
  parts.push(
    `Wallets with 100,000 and a million proofs, in Chromium; medians of ${rounds} rounds.`,
    report.pageTable('Dashboard', lines),
  )
}
if (hasOurs && (only === undefined || only === 'first-proof')) {
  const lines = await measureFirstProof(ours(executable), rounds, say)
  figures.firstProof = lines
  parts.push(
    `A newcomer’s way to a first proof, in Chromium; medians of ${rounds} rounds.`,
    report.pageTable('Until', lines),
  )
}
if (hasOurs && (only === undefined || only === 'refresh')) {
  installPeers()
  const list = tokenServers(executable, say)
  const runs = await measureRefresh(list, rounds, requests, say)
  const judged = report.judgeGoals(refreshGoals, list, runs)
  figures.refresh = { runs: Object.fromEntries(runs), goals: judged }
  const shown = report.speedTable(list, runs, { one: 'refresh', many: 'refreshes' })
  parts.push(`Refresh grant, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'refresh'))
}
if (hasOurs && (only === undefined || only === 'tools')) {
  installPeers()
  const list = toolServers(executable, say)
  const runs = await measureToolLists(list, rounds, requests, say)
  const judged = report.judgeGoals(toolGoals, list, runs)
  figures.tools = { runs: Object.fromEntries(runs), goals: judged }
  const shown = report.speedTable(list, runs, { one: 'list', many: 'lists' })
  parts.push(`Authenticated tools/list, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'list'))
}
if (only === undefined || only === 'bearer') {
  const bearer = await measureBearerCheck(rounds)
  figures.bearer = bearer
  parts.push(report.bearerTable(bearer))
}

if (hasOurs && (only === undefined || only === 'monitoring')) {
  const list = watchedServers(executable)
  const runs = await measureMonitoring(list, rounds, requests * 5, say)
  const judged = report.judgeGoals(monitoringGoals, list, runs)
  figures.monitoring = { runs: Object.fromEntries(runs), goals: judged }
  const shown = report.speedTable(list, runs, { one: 'request', many: 'requests' })
  parts.push(`The cheapest request, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'request'))
}

if (hasOurs && (only === undefined || only === 'continuous')) {
  const list = shippingServers(executable)
  const runs = await measureShipping(list, rounds, requests, say)
  const judged = report.judgeGoals(shippingGoals, list, runs)
  figures.continuous = { runs: Object.fromEntries(runs), goals: judged }
  const shown = report.speedTable(list, runs, { one: 'proof', many: 'proofs' })
  parts.push(`An accepted proof, medians of ${rounds} rounds.`, shown, report.goalTable(judged, 'proof'))
}

if (hasOurs && (only === undefined || only === 'restore')) {
  const line = await measureRestore(executable, restored, say)
  figures.restore = line
  parts.push(report.restoreTable(line))
}

const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }
if ((hasOurs || options.source) && (only === undefined || only === 'erasing')) {
  const server = options.source ? fromSource(unlimited) : ours(executable, unlimited)
  const line = await measureErasing(server, erased, say)
  figures.erasing = line
  parts.push(report.erasingTable(line))
}

if (only === undefined || only === 'check') {
  const line = await measureCheck(checking(unlimited), rounds, say)
  figures.check = line
  parts.push(report.checkTable(line))
}

let isWithinRule = true
if ((hasOurs || options.source) && (only === undefined || only === 'worst')) {
  const lines = await measureWorst(options.source ? fromSource(unlimited) : ours(executable, unlimited), say)
  figures.worst = lines
  isWithinRule = lines.every(({ fault }) => fault === undefined)
  parts.push(worstTable(lines))
}

rmSync(workFolder, { recursive: true, force: true })
console.log(`\n${parts.join('\n\n')}`)
if (options.json) await Bun.write(options.json, `${JSON.stringify(figures, null, 2)}\n`)
process.exit(isWithinRule ? 0 : 1)

function installPeers(): void {
  const needed = ['better-sqlite3/build/Release/better_sqlite3.node', 'oidc-provider', '@modelcontextprotocol/sdk']
  if (needed.every((name) => existsSync(join(import.meta.dir, 'node_modules', name)))) return
  say('installing the packages of the peers into test/bench/node_modules (first time only)')
  const command = Bun.which('npm') ? ['npm', 'ci'] : [process.execPath, 'install', '--no-save']
  run(command, import.meta.dir)
}

function buildExecutable(): string {
  const root = join(import.meta.dir, '../..')
  if (existsSync(join(root, 'src/build/build.ts'))) run([process.execPath, 'run', 'build'], root)
  return join(root, process.platform === 'win32' ? 'dist/proofgate.exe' : 'dist/proofgate')
}

function run(command: string[], cwd: string): void {
  // Its output goes to stderr: stdout is for the tables.
  const { exitCode } = Bun.spawnSync(command, { cwd, stdout: 2, stderr: 2 })
  if (exitCode !== 0) refuse(`${command.join(' ')} failed`)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) refuse(`--${name} takes a whole number above 0, not ${text}`)
  return value
}

function refuse(complaint: string): never {
  console.error(`${complaint}\n\n${help}`)
  process.exit(2)
}
