import { Heading } from '../parts.tsx'

export const Proofs = () => <Heading title="Proofs" />
