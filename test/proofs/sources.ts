/** People, keys, apps and linked wallets that make delegations, agents and access grants, over HTTP. */
import { type Answer, startApp, type TestApp } from '../app.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { allScopes, authorizeParameters, callback, flowOf, returnedBy } from '../oauth/flow.ts'
import { alice, type TestWallet } from '../wallets.ts'

export const low = ({ address }: TestWallet): string => address.toLowerCase()

export interface Connected {
  readonly client: string
  readonly access_token: string
  readonly refresh_token: string
}

export type Headers = Readonly<Record<string, string>>

export async function startSources(given?: TestApp) {
  const app = given ?? (await startApp())
  const flow = flowOf(app)
  const mcp = mcpOf(app)
  const keyOf = (key: string): Headers => ({ authorization: `Bearer ${key}` })
  let agents = 0

  const delegationData = (wallet: TestWallet, agent: TestWallet, more: object) => ({
    controllerWallet: wallet.address,
    agentWallet: agent.address,
    agentId: `agent-${++agents}`,
    ...more,
  })

  return {
    ...app,
    app,
    flow,
    mcp,
    keyOf,

    /** An access key of alice, by her browser. */
    async newKey(scopes?: readonly string[]): Promise<{ readonly key: string; readonly keyId: string }> {
      app.wait(1)
      const { headers } = await app.signIn(alice)
      const { body } = await app.post(
        '/api/v1/auth/profile-keys',
        { name: 'A key', ...(scopes ? { scopes } : {}) },
        headers,
      )
      return body.data
    },

    /** Makes an app to which the signed-in person grants all scopes. */
    async connect(wallet: TestWallet = alice): Promise<Connected> {
      const client = await flow.newClient([callback], `App ${++agents}`)
      app.wait(1)
      const { cookie } = await app.signIn(wallet)
      const asked = authorizeParameters({ client_id: client, redirect_uri: callback, scope: allScopes })
      const page = await flow.authorize(asked, { cookie })
      const answer = await flow.allow(page.body, { cookie })
      const code = returnedBy(answer).searchParams.get('code')!
      const { body } = await flow.redeem(code, { client_id: client, redirect_uri: callback })
      return { client, ...body }
    },

    /** Makes an unsigned delegation by `wallet`. */
    delegate(headers: Headers, wallet: TestWallet, agent: TestWallet, more: object = {}): Promise<Answer> {
      app.wait(1)
      return app.post(
        '/api/v1/verification',
        {
          walletAddress: wallet.address,
          verifierIds: ['agent-delegation'],
          data: delegationData(wallet, agent, more),
          options: { privacyLevel: 'public' },
        },
        headers,
      )
    },

    /** The same, signed by the wallet. */
    delegateSigned(wallet: TestWallet, agent: TestWallet, more: object = {}): Promise<Answer> {
      app.wait(1)
      return app.submit(wallet, {
        verifierIds: ['agent-delegation'],
        data: delegationData(wallet, agent, more),
        options: { privacyLevel: 'public' },
      })
    },

    /** Lets a wallet read a private proof, by who is signed in. */
    share(
      headers: Headers,
      qHash: string,
      viewer: TestWallet,
      expiresInSeconds: number | null = 3600,
    ): Promise<Answer> {
      app.wait(1)
      return app.post(
        '/api/v1/verification/access/grant',
        { qHash, ownerWallet: alice.address, viewerWallet: viewer.address, expiresInSeconds },
        headers,
      )
    },

    /** Whether a wallet can read the content of a private proof. */
    async reads(wallet: TestWallet, qHash: string): Promise<boolean> {
      const headers = await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash })
      const { body } = await app.get(`/api/v1/proofs/${qHash}`, headers)
      return body.data.verifiedVerifiers !== undefined
    },

    status: async (qHash: string): Promise<string> => (await app.get(`/api/v1/proofs/${qHash}`)).body.data.status,

    /** Whether a gate check finds the delegation to this agent. */
    async counts(wallet: TestWallet, agent: TestWallet): Promise<boolean> {
      const query = `address=${wallet.address}&verifierIds=agent-delegation&agentWallet=${agent.address}`
      return (await app.get(`/api/v1/proofs/check?${query}`)).body.data.eligible
    },

    async revoke(headers: Headers, path: string): Promise<Answer> {
      app.wait(1)
      return app.request(path, { method: 'DELETE', headers })
    },

    /** Returns the source of a proof, as its owner is told. */
    async sourceOf(wallet: TestWallet, qHash: string) {
      const headers = await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash })
      return (await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data.source
    },
  }
}

export type Sources = Awaited<ReturnType<typeof startSources>>
export type { TestApp }
