"""A tiny balance study of Fantastique, played and reported: whole, right, and gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from simlab.cli import main
from simlab.experiments import standard as studies
from simlab.experiments.standard import EFFORTS, Effort, Standard
from simlab.experiments.standard import fantastique as declared
from simlab.reports.making import report
from simlab.reports.page import write_report
