export function describeBrowserAge(about: { browser: string; lists?: string; now?: Date }): Promise<string[]>
