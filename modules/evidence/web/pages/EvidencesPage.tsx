export function EvidencesPage() { return null }
