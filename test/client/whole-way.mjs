/**
 * Uses the client module as a user would, in the runtime that runs this file: `node whole-way.mjs FACTS`, or `bun`. The
 * file of facts has the addresses of the servers and the path of the downloaded /client.js. Prints one line of JSON for
 * each check. The checks are the same in every runtime.
 */
import { ok, deepStrictEqual as same } from 'node:assert'
import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'

const facts = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { createClient, ethereumSigner, ProofgateError, solanaSigner, verifyEnvelope } = await import(
  pathToFileURL(facts.module).href
)
const { base } = facts
const client = createClient({ url: base })

const checks = []
const check = (name, run) => checks.push({ name, run })

/** The error of a call that must not succeed. */
async function errorOf(work) {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
async function refusalOf(work) {
  const error = await errorOf(work)
  if (!(error instanceof ProofgateError)) throw error
  const { code, status, retryable } = error
  return { code, status, retryable }
}

/** A wallet whose signatures are counted. */
function viemSigner(key) {
  const account = privateKeyToAccount(key)
  const signer = {
    address: account.address,
    asked: 0,
    sign(message) {
      signer.asked++
      return account.signMessage({ message })
    },
  }
  return signer
}
const signer = viemSigner(facts.key)
const claimOf = (content, more = {}) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: signer.address, content },
  ...more,
})

/** A server that says what a check wants to hear, one answer after the other. */
async function withServer(answers, run) {
  const heard = []
  const headersHeard = []
  const server = createServer((request, response) => {
    headersHeard.push(request.headers)
    heard.push(`${request.method} ${request.url}`)
    const { status = 200, headers = {}, body, hangs } = answers[Math.min(heard.length, answers.length) - 1]
    if (hangs) return
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    return await run(`http://127.0.0.1:${server.address().port}`, heard, headersHeard)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
const refusing = (status, code, headers = {}, details = {}) => ({
  status,
  headers,
  body: { success: false, error: { code, message: code, details }, requestId: 'req_1' },
})
const seen = (status) => ({ body: { success: true, data: { qHash: '0x', status } } })

check('the server works, and says what it checks', async () => {
  same((await client.health()).status, 'ok')
  const { ids, metadata, meta } = await client.verifiers()
  ok(ids.includes('ownership-basic') && metadata['ownership-basic'].dataSchema && meta.hubChainId > 0)
})

let created
check('a claim becomes a proof with a portable form, which is valid without the server', async () => {
  created = await client.prove(
    signer,
    claimOf('A caf\u00e9 and e\u0301', { options: { storeOriginalContent: true, meta: { tags: ['mine'] } } }),
  )
  same(created.status, 'verified')
  same(created.receipt.portable, true)
  const verdict = await verifyEnvelope(created.portableProof)
  same(verdict, { verdict: 'valid', checks: { qHash: true, did: true, signature: true }, fresh: true, faults: [] })
})

check('the three steps one by one give the same', async () => {
  const claim = claimOf('Step by step', { walletAddress: signer.address, signedTimestamp: Date.now() })
  const prepared = await client.standardize(claim)
  ok(prepared.signerString.startsWith('Portable Proof Verification Request\n'))
  const signed = await client.sign(signer, claim, { prepared })
  const proof = await client.submit(signed)
  same(proof.qHash, prepared.bodyPreview.qHash)
  same((await client.submit(signed)).qHash, proof.qHash)
})

check('a stranger sees the status of a private proof, and its owner everything', async () => {
  const stranger = await client.proof(created.qHash)
  same(Object.keys(stranger).sort(), ['createdAt', 'lastUpdated', 'privacyLevel', 'qHash', 'status'])
  const own = await client.proof(created.qHash, { signer })
  same(own.publicContent.content, 'A caf\u00e9 and e\u0301')
  const other = viemSigner(`0x${'9'.repeat(64)}`)
  same((await client.proof(created.qHash, { signer: other })).walletAddress, undefined)
  const upper = `0x${created.qHash.slice(2).toUpperCase()}`
  same((await client.proof(upper, { signer })).walletAddress.toLowerCase(), signer.address.toLowerCase())
})

check('lists come in pages, and all of them one after the other with one signature', async () => {
  const page = await client.list(signer.address, { signer, limit: 1 })
  same([page.proofs.length, page.hasMore, page.totalCount], [1, true, 2])
  const asked = signer.asked
  const all = []
  for await (const proof of client.listAll(signer.address, { signer, limit: 1 })) all.push(proof.qHash)
  same(new Set(all).size, 2)
  same(all[0], page.proofs[0].qHash)
  same(signer.asked, asked)
  same((await client.list(signer.address, { signer, tags: ['mine', 'none'] })).proofs, [])
  same((await client.list(signer.address)).proofs, [])
})

check('a check counts private proofs for the wallet that signs, and for nobody else', async () => {
  const criteria = { verifierIds: ['ownership-basic'], minCount: 2 }
  same((await client.check(criteria, { signer })).eligible, true)
  same((await client.check({ ...criteria, address: signer.address })).eligible, false)
  const { gate } = await client.check({ gateId: facts.freeGate }, { signer })
  same(gate.allRequiredSatisfied, true)
})

check('a gate says what it asks, and gives its reward once asked with a proof', async () => {
  const gate = await client.gate(facts.freeGate)
  same([gate.gateId, gate.monetization.charge], [facts.freeGate, null])
  const got = await client.fulfil(facts.freeGate, { qHash: created.qHash }, { signer })
  same([got.fulfilled, got.fulfillment.value], [true, 'Ring twice'])
  const again = await client.fulfil(facts.freeGate, { qHash: created.qHash }, { signer })
  same(again.rewardProof.receiptId, got.rewardProof.receiptId)
  same((await refusalOf(client.fulfil(facts.freeGate, { qHash: created.qHash }))).code, 'WALLET_AUTH_REQUIRED')
})

check('a payment that is due is an answer: what to pay is in it, and who has paid gets the reward', async () => {
  const due = await client.fulfil(facts.paidGate, { qHash: created.qHash }, { signer })
  same([due.fulfilled, due.reason, due.amountUsd], [false, 'PAYMENT_MISSING', '4.99'])
  same(due.accepts[0].method, 'usdc')
  const wrong = await client.fulfil(
    facts.paidGate,
    { qHash: created.qHash, paymentTxHash: `0x${'1'.repeat(64)}` },
    { signer },
  )
  ok(!wrong.fulfilled && wrong.reason !== due.reason)

  const transaction = { from: signer.address, to: facts.token, data: facts.transfer, gas: '0x1000000' }
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] }
  const headers = { 'content-type': 'application/json' }
  const sent = await (await fetch(facts.rpc, { method: 'POST', headers, body: JSON.stringify(call) })).json()
  let outcome
  for (let turn = 0; turn < 20 && !outcome?.fulfilled; turn++) {
    if (outcome) await new Promise((later) => setTimeout(later, (outcome.retryAfterSeconds ?? 1) * 1000))
    outcome = await client.fulfil(facts.paidGate, { qHash: created.qHash, paymentTxHash: sent.result }, { signer })
  }
  same([outcome.message, outcome.fulfilled, outcome.fulfillment?.value], [undefined, true, 'Paid for'])
  const [other] = (await client.list(signer.address, { signer })).proofs.filter(({ qHash }) => qHash !== created.qHash)
  same(await refusalOf(client.fulfil(facts.paidGate, { qHash: other.qHash, paymentTxHash: sent.result }, { signer })), {
    code: 'PAYMENT_ALREADY_USED',
    status: 409,
    retryable: false,
  })
})

check('who is signed in needs no signature: the headers say who it is', async () => {
  const { data } = await client.request('POST', '/api/v1/auth/nonce', { body: { walletAddress: signer.address } })
  let cookie
  const reading = async (url, init) => {
    const response = await fetch(url, init)
    cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    return response
  }
  let csrf
  const session = createClient({
    url: base,
    fetch: reading,
    headers: () => (csrf ? { cookie, 'x-csrf-token': csrf } : {}),
  })
  const body = { message: data.message, signature: await signer.sign(data.message) }
  csrf = (await session.request('POST', '/api/v1/auth/verify', { body })).data.csrfToken
  const asked = signer.asked
  same((await session.list(signer.address)).totalCount, 2)
  const proof = await session.submit(claimOf('Not signed', { walletAddress: signer.address }))
  same([proof.receipt.portable, proof.portableProof], [false, undefined])
  same(await session.revoke(proof.qHash).then(({ alreadyRevoked }) => alreadyRevoked), false)
  same(signer.asked, asked)
})

check('a proof is taken back for good, each time with a signature of its own', async () => {
  const asked = signer.asked
  same((await client.revoke(created.qHash, { signer })).alreadyRevoked, false)
  same((await client.revoke(created.qHash, { signer })).alreadyRevoked, true)
  same(signer.asked, asked + 2)
  same((await client.proof(created.qHash)).status, 'revoked')
  same((await refusalOf(client.revoke(created.qHash, { signer: viemSigner(`0x${'9'.repeat(64)}`) }))).status, 403)
})

check('an Ed25519 key goes the whole way, by either kind of Solana wallet', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const address = base58(key)
  const signMessage = async (message) => new Uint8Array(signBytes(null, message, privateKey))
  const wallets = [
    { publicKey: { toString: () => address }, signMessage },
    {
      publicKey: { toString: () => address },
      signMessage: async (message) => ({ signature: await signMessage(message) }),
    },
    {
      accounts: [{ address }],
      features: {
        'solana:signMessage': {
          signMessage: async ({ account, message }) => {
            same(account.address, address)
            return [{ signedMessage: message, signature: await signMessage(message) }]
          },
        },
      },
    },
  ]
  for (const wallet of wallets) {
    const own = solanaSigner(wallet, 'solana:devnet')
    const content = `Of wallet ${wallets.indexOf(wallet)}`
    const proof = await client.prove(own, { verifierIds: ['ownership-basic'], data: { owner: address, content } })
    same((await verifyEnvelope(proof.portableProof)).verdict, 'valid')
    same((await verifyEnvelope({ ...proof.portableProof, data: {} })).verdict, 'invalid')
    same((await client.proof(proof.qHash, { signer: own })).walletAddress, address)
    same((await client.revoke(proof.qHash, { signer: own })).alreadyRevoked, false)
  }
  const own = solanaSigner(wallets[0])
  same((await client.list(address, { signer: own, includeHistory: true })).proofs.length, 3)
  same((await client.erase(own)).erasedCount, 3)
  same((await client.list(address, { signer: own, includeHistory: true })).proofs, [])
  same((await refusalOf(Promise.resolve().then(() => solanaSigner({ accounts: [], features: {} })))).code, 'NO_ACCOUNT')
})

check('a contract wallet goes the whole way on its chain, and its proof cannot be decided without that', async () => {
  const chain = 'eip155:8453'
  const own = { address: facts.contract, chain, sign: signer.sign }
  const claim = { verifierIds: ['ownership-basic'], data: { owner: own.address, content: 'Of a contract' } }
  const proof = await client.prove(own, claim)
  same([proof.portableProof.signatureMethod, proof.portableProof.chain], ['eip1271', chain])
  same((await verifyEnvelope(proof.portableProof)).verdict, 'undecided')
  same((await verifyEnvelope({ ...proof.portableProof, data: {} })).verdict, 'invalid')
  same((await client.proof(proof.qHash, { signer: own })).walletAddress, own.address.toLowerCase())
  const said = { ...own, signatureMethod: 'eip1271' }
  same((await client.list(own.address, { signer: said })).proofs.length, 1)
  const elsewhere = await refusalOf(client.proof(proof.qHash, { signer: { ...own, chain: 'eip155:1' } }))
  same([elsewhere.code, elsewhere.status], ['SIGNATURE_INVALID', 401])
  same((await client.revoke(proof.qHash, { signer: said })).alreadyRevoked, false)
})

check('what x402 wants signed comes with the answer, and goes along signed', async () => {
  const details = { reason: 'PAYMENT_MISSING', amountUsd: '1', accepts: [{ method: 'x402' }] }
  const reward = { body: { success: true, data: { gateId: 'gate_x', qHash: '0x1', fulfillment: { value: 'in' } } } }
  const answers = [refusing(402, 'PAYMENT_REQUIRED', { 'payment-required': 'aGk=' }, details), reward]
  await withServer(answers, async (url, _, headers) => {
    const own = createClient({ url })
    const due = await own.fulfil('gate_x', { qHash: '0x1' })
    same(due, {
      ...details,
      paymentRequired: 'aGk=',
      retryAfterSeconds: undefined,
      message: 'PAYMENT_REQUIRED',
      fulfilled: false,
    })
    const got = await own.fulfil('gate_x', { qHash: '0x1', paymentSignature: 'c2lnbmVk' })
    same([got.fulfilled, got.fulfillment.value], [true, 'in'])
    same(
      headers.map((one) => one['payment-signature']),
      [undefined, 'c2lnbmVk'],
    )
  })
  await withServer([refusing(402, 'PAYMENT_REQUIRED', { 'retry-after': '5' }, details)], async (url) =>
    same((await createClient({ url }).fulfil('gate_x', { qHash: '0x1' })).retryAfterSeconds, 5),
  )
})

check('a browser wallet signs by personal_sign, with the text as digits', async () => {
  const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
  const asked = []
  const provider = {
    async request({ method, params }) {
      asked.push(method)
      if (method === 'eth_requestAccounts') return [account.address]
      same(params[1], account.address)
      return account.signMessage({ message: { raw: params[0] } })
    },
  }
  const own = await ethereumSigner(provider)
  const proof = await client.prove(own, {
    verifierIds: ['ownership-basic'],
    data: { owner: own.address, content: '\u{1f39f}' },
  })
  same((await verifyEnvelope(proof.portableProof)).verdict, 'valid')
  same(asked, ['eth_requestAccounts', 'personal_sign'])
  const declined = { request: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })) }
  same((await errorOf(ethereumSigner(declined))).code, 4001)
  same((await refusalOf(ethereumSigner({ request: async () => [] }))).code, 'NO_ACCOUNT')
})

check('a clock that is a day off is found out, and set right', async () => {
  for (const offMs of [-86_400_000, 86_400_000]) {
    const own = viemSigner(facts.key)
    const late = createClient({ url: base, now: () => Date.now() + offMs })
    const proof = await late.prove(own, claimOf(`Off by ${offMs}`))
    same(own.asked, 2)
    same((await late.proof(proof.qHash, { signer: own })).walletAddress.toLowerCase(), own.address.toLowerCase())
    same((await late.revoke(proof.qHash, { signer: own })).alreadyRevoked, false)
    same(own.asked, 4)
  }
  const fixed = claimOf('Old', { signedTimestamp: Date.now() - 3_600_000 })
  same((await refusalOf(client.prove(signer, fixed))).code, 'EXPIRED_SIGNATURE')
})

check('a server cannot choose the day that something is signed for', async () => {
  const elsewhen = refusing(401, 'EXPIRED_SIGNATURE', {}, { serverTime: Date.now() + 10 * 86_400_000 })
  await withServer([elsewhen], async (url, heard) => {
    const own = viemSigner(facts.key)
    same((await refusalOf(createClient({ url }).erase(own))).code, 'EXPIRED_SIGNATURE')
    same([own.asked, heard.length], [1, 1])
  })
})

check('a refusal says code, status and whether it may pass', async () => {
  same(await refusalOf(client.proof(`0x${'0'.repeat(64)}`)), { code: 'NOT_FOUND', status: 404, retryable: false })
  same(await refusalOf(client.gate('gate_none')), { code: 'GATE_NOT_FOUND', status: 404, retryable: false })
  const unknown = { verifierIds: ['no-such'], data: {} }
  same(await refusalOf(client.prove(signer, unknown)), { code: 'VERIFIER_NOT_FOUND', status: 400, retryable: false })
  const forged = { address: signer.address, sign: (text) => viemSigner(`0x${'9'.repeat(64)}`).sign(text) }
  const refused = await errorOf(client.prove(forged, claimOf('Forged')))
  same([refused.code, refused.status, refused.retryable], ['SIGNATURE_INVALID', 401, false])
  ok(/^req_/.test(refused.requestId) && refused.message.length > 20)
})

check('a server that is down, that hangs, that is another one', async () => {
  same(await refusalOf(createClient({ url: facts.closed }).health()), { code: 'NO_ANSWER', status: 0, retryable: true })
  await withServer([{ hangs: true }], async (url) => {
    const hurried = createClient({ url, timeoutMs: 50 })
    same(await refusalOf(hurried.health()), { code: 'TIMEOUT', status: 0, retryable: true })
    const why = new Error('changed my mind')
    same(await errorOf(createClient({ url }).health({ signal: AbortSignal.abort(why) })), why)
    const end = new AbortController()
    const call = createClient({ url }).health({ signal: end.signal })
    setTimeout(() => end.abort(why), 20)
    same(await errorOf(call), why)
  })
  await withServer([{ body: '<p>hello' }], async (url) =>
    same(await refusalOf(createClient({ url }).health()), { code: 'NOT_PROOFGATE', status: 200, retryable: false }),
  )
  await withServer([{ status: 302, headers: { location: facts.base }, body: '' }], async (url) =>
    same(await refusalOf(createClient({ url }).health()), { code: 'REDIRECTED', status: 302, retryable: false }),
  )
})

check('too many calls are told with the time to wait', async () => {
  const tight = createClient({ url: facts.tight })
  let error
  for (let turn = 0; turn < 5 && !error; turn++)
    error = await tight.verifiers().then(
      () => undefined,
      (thrown) => thrown,
    )
  same([error.code, error.status, error.retryable], ['RATE_LIMIT_EXCEEDED', 429, true])
  ok(error.retryAfterSeconds > 0)
})

check('a server cannot have something else signed', async () => {
  const body = { success: true, data: { signerString: 'Pay everything', bodyPreview: { chainId: 84_532 } } }
  await withServer([{ body }], async (url) => {
    const own = viemSigner(facts.key)
    const { code } = await refusalOf(createClient({ url }).prove(own, claimOf('Mine')))
    same([code, own.asked], ['NOT_OURS', 0])
  })
})

check('ids of others do not lead to other addresses of the server', async () => {
  await withServer([seen('verified')], async (url, heard) => {
    const own = createClient({ url })
    await own.proof('../auth/me?a=b#c')
    await own.list('did:pkh:eip155:1:0x/../..')
    same(heard, [
      'GET /api/v1/proofs/..%2Fauth%2Fme%3Fa%3Db%23c',
      'GET /api/v1/proofs/by-wallet/did%3Apkh%3Aeip155%3A1%3A0x%2F..%2F..',
    ])
  })
})

check('waiting for a proof ends with its final status, over errors that pass', async () => {
  const way = [
    seen('processing_verifiers'),
    refusing(503, 'SERVICE_UNAVAILABLE'),
    { status: 502, body: '<p>bad gateway' },
    refusing(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' }),
    seen('verified_crosschain_propagating'),
    seen('verified_crosschain_propagated'),
  ]
  await withServer(way, async (url, heard) => {
    const states = []
    const options = { intervalMs: 1, onProof: ({ status }) => states.push(status) }
    same((await createClient({ url }).poll('0x1', options)).status, 'verified_crosschain_propagated')
    same(states, ['processing_verifiers', 'verified_crosschain_propagating', 'verified_crosschain_propagated'])
    same(heard.length, way.length)
  })
  for (const status of ['verified', 'partially_verified', 'verified_propagation_failed', 'rejected', 'revoked'])
    await withServer([seen(status)], async (url) => same((await createClient({ url }).poll('0x1')).status, status))
})

check('waiting ends with an error that does not pass, with the time, and with its signal', async () => {
  await withServer([refusing(404, 'PROOF_NOT_FOUND')], async (url) =>
    same((await refusalOf(createClient({ url }).poll('0x1'))).code, 'PROOF_NOT_FOUND'),
  )
  await withServer([seen('processing_verifiers')], async (url) => {
    const late = await errorOf(createClient({ url }).poll('0x1', { intervalMs: 5, timeoutMs: 30 }))
    same([late.code, late.details.status, late.retryable], ['TIMEOUT', 'processing_verifiers', true])
    const why = new Error('enough')
    const end = new AbortController()
    const waiting = createClient({ url }).poll('0x1', {
      intervalMs: 60_000,
      signal: end.signal,
      onProof: () => setTimeout(() => end.abort(why)),
    })
    same(await errorOf(waiting), why)
  })
  // As long as the server says, even where that is longer than is left.
  await withServer([refusing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '600' })], async (url, heard) => {
    const late = await errorOf(createClient({ url }).poll('0x1', { intervalMs: 1, timeoutMs: 10_000 }))
    same([late.code, late.cause.code, heard.length], ['TIMEOUT', 'SERVICE_UNAVAILABLE', 1])
  })
})

check('the published envelopes are valid without any network, and not when a letter changes', async () => {
  const { fetch } = globalThis
  globalThis.fetch = () => Promise.reject(new Error('no network'))
  try {
    for (const proof of facts.published) {
      const options = { now: proof.signedTimestamp }
      same((await verifyEnvelope(proof, options)).verdict, 'valid')
      same((await verifyEnvelope({ ...proof, signedTimestamp: proof.signedTimestamp + 1 }, options)).verdict, 'invalid')
      same((await verifyEnvelope({ ...proof, data: { ...proof.data, x: 1 } }, options)).verdict, 'invalid')
    }
    ok(facts.published.length >= 7)
  } finally {
    globalThis.fetch = fetch
  }
})

check('every odd signature gets the verdict of the command', async () => {
  const wrong = []
  for (const { name, proof, verdict } of facts.odd) {
    const said = (await verifyEnvelope(proof, { now: proof.signedTimestamp })).verdict
    if (said !== verdict) wrong.push(`${name}: ${said}, not ${verdict}`)
  }
  same(wrong, [])
  ok(facts.odd.length > 150)
})

function base58(bytes) {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
}

for (const { name, run } of checks) {
  const error = await run().then(
    () => undefined,
    (thrown) => thrown,
  )
  console.log(JSON.stringify({ name, ok: error === undefined, error: error && (error.stack ?? String(error)) }))
}
// Sockets that are kept for the next call would hold the process.
process.exit(0)
