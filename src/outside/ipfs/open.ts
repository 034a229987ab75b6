/** From the settings to IPFS: the node first, because the service fetches from it. */
import type { Config } from '../../config/load.ts'
import { endpointOf } from '../http/endpoint.ts'
import type { Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import { contentIdOf } from './content-id.ts'
import type { Ipfs } from './ipfs.ts'
import { addToKubo, kuboProbe } from './kubo.ts'
import { pinningService } from './pinning-service.ts'

export function openIpfs(
  { kuboUrl, pinningUrl, pinningToken, gateway }: Config['ipfs'],
  { policy }: Pick<OutsideTools, 'policy'>,
): { readonly ipfs: Ipfs | undefined; readonly probes: readonly Probe[] } {
  const node = kuboUrl === undefined ? undefined : endpointOf('ipfs.kubo_url', kuboUrl, policy)
  const service =
    pinningUrl === undefined
      ? undefined
      : pinningService(endpointOf('ipfs.pinning_url', pinningUrl, policy), {
          token: pinningToken,
          timeoutMs: policy.timeoutMs,
          hasSource: node !== undefined,
        })
  if (!node && !service) return { ipfs: undefined, probes: [] }

  const probes = [...(node ? [kuboProbe(node)] : []), ...(service ? [service.probe] : [])]
  const source = probes.map(({ setting }) => setting).join(', ')
  return {
    ipfs: {
      async pin(bytes, name) {
        const cid = await contentIdOf(bytes)
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
