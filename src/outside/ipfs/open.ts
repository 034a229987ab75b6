/** Opens IPFS from the settings: the node first, because the service fetches from it. */
import type { Config } from '../../config/schema.ts'
import { makeEndpoint } from '../http/endpoint.ts'
import type { Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import type { Ipfs } from './ipfs.ts'
import { addToKubo, makeKuboProbe } from './kubo.ts'
import { openPinningService } from './pinning-service.ts'

/** Loads with the first snapshot. */
const loadContentIds = () => require('./content-id.ts') as typeof import('./content-id.ts')

export function openIpfs(
  { kuboUrl, pinningUrl, pinningToken, gateway }: Config['ipfs'],
  { policy }: Pick<OutsideTools, 'policy'>,
): { readonly ipfs: Ipfs | undefined; readonly probes: readonly Probe[] } {
  const node = kuboUrl === undefined ? undefined : makeEndpoint('ipfs.kubo_url', kuboUrl, policy)
  const service =
    pinningUrl === undefined
      ? undefined
      : openPinningService(makeEndpoint('ipfs.pinning_url', pinningUrl, policy), {
          token: pinningToken,
          timeoutMs: policy.timeoutMs,
          hasSource: node !== undefined,
        })
  if (!node && !service) return { ipfs: undefined, probes: [] }

  const probes = [...(node ? [makeKuboProbe(node)] : []), ...(service ? [service.probe] : [])]
  const source = probes.map(({ setting }) => setting).join(', ')
  return {
    ipfs: {
      async pin(bytes, name) {
        const cid = await loadContentIds().computeContentId(bytes)
        if (node) await addToKubo(node, cid, bytes, name)
        if (service) await service.keep(cid, name)
        return {
          cid: cid.toString(),
          size: bytes.length,
          gateway: gateway === undefined ? undefined : `${gateway.replace(/\/+$/, '')}/ipfs/${cid}`,
          source,
        }
      },
    },
    probes,
  }
}
