export function CapturePage() { return null }
