import type { CaptureFacts } from '../../../capture/server/index.ts'
import type { EvidenceSession } from '../../contract/session-review.ts'

/** `linkOf`: a signed link to a piece, null when there is none of that path. Facts that were kept before there were sessions have none. */
export function presentSession(
  { interactive: facts }: CaptureFacts,
  linkOf: (path: string) => string | null,
): EvidenceSession | null {
  if (facts == null) return null
  const { video, timeline } = facts
  const device: EvidenceSession['device'] =
    facts.device.kind === 'desktop'
      ? { kind: 'desktop' }
      : { kind: 'mobile', name: facts.device.name, width: facts.device.width, height: facts.device.height }
  return {
    ended_by: facts.ended_by,
    began_at: facts.began_at,
    duration_ms: facts.duration_ms,
    device,
    video:
      video === null
        ? null
        : {
            path: video.path,
            url: linkOf(video.path),
            width: video.width,
            height: video.height,
            frames: video.frames,
            frames_dropped: video.frames_dropped,
            duration_ms: video.duration_ms,
            sound: video.sound !== null,
            chain: video.chain,
            gaps: video.gaps.map(({ from_ms, to_ms, reason }) => ({ from_ms, to_ms, reason })),
          },
    timeline: { path: timeline.path, url: linkOf(timeline.path), entries: timeline.entries, head: timeline.head },
    navigations: facts.navigations.length,
    screenshots: facts.screenshots.map(({ number, kind, automatic, ms, at, url, title, paths }) => ({
      number,
      kind,
      automatic,
      ms,
      at,
      page_url: url,
      title,
      images: paths.flatMap((path) => {
        const link = linkOf(path)
        return link === null ? [] : [{ path, url: link }]
      }),
    })),
    downloads: facts.downloads.map(({ ms, url, name, bytes, sha256, refused, path }) => ({
      ms,
      page_url: url,
      name,
      bytes,
      sha256,
      refused,
      path,
      url: path === null ? null : linkOf(path),
    })),
    uploads: facts.uploads.map(({ ms, url, name, bytes, sha256 }) => ({ ms, page_url: url, name, bytes, sha256 })),
    secrets: facts.secrets.map(({ ms, kind, url, masked_in }) => ({
      ms,
      kind,
      page_url: url,
      masked_in: masked_in.map(({ path, times }) => ({ path, times })),
    })),
    absences: facts.absences.map(({ from_ms, to_ms }) => ({ from_ms, to_ms })),
    hand_overs: facts.hand_overs.map(({ ms, viewer }) => ({ ms, viewer })),
    witnesses: facts.witnesses.map(({ label, watched, countersigned }) => ({
      label,
      watched: watched.map(({ from_ms, to_ms }) => ({ from_ms, to_ms })),
      countersigned: countersigned === null ? null : { ...countersigned },
    })),
    crashes: facts.crashes.map(({ ms, what, recovered }) => ({ ms, what, recovered })),
  }
}
