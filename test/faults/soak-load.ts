/** Sends proofs at a rate until it is stopped, and prints one line of JSON each second: answers, failures, latencies. */
import { signBodies } from '../bench/bodies.ts'

const [url = '', rate = '500'] = process.argv.slice(2)
const perSecond = Number(rate)
let stored = 0
const failed: string[] = []
let latenciesMs: number[] = []

async function send(body: string, dueAt: number): Promise<void> {
  try {
    const answer = await fetch(`${url}/api/v1/verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    if (answer.ok) stored++
    else failed.push(`${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  } catch (error) {
    failed.push(String(error))
  }
  latenciesMs.push(performance.now() - dueAt)
}

for (let second = 0; ; second++) {
  const bodies = signBodies('proof', perSecond, `soak ${process.pid} ${second}`)
  const startedAt = performance.now()
  for (const [index, body] of bodies.entries()) {
    const dueAt = startedAt + (index * 1000) / perSecond
    const aheadMs = dueAt - performance.now()
    if (aheadMs > 1) await Bun.sleep(aheadMs)
    void send(body, dueAt)
  }
  console.log(JSON.stringify({ stored, failed: failed.splice(0), latenciesMs }))
  latenciesMs = []
}
