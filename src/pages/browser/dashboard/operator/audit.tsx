import { Heading } from '../parts.tsx'

export const Audit = () => <Heading title="Audit log" />
