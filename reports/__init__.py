"""The pages of a league, written from its database alone."""

from reports.options import Publish, Replays, ReportOptions, Reveal, SiteResult
from reports.website import write_site

__all__ = ["Publish", "Replays", "ReportOptions", "Reveal", "SiteResult", "write_site"]
