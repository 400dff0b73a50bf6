from django.apps import AppConfig


class TableConfig(AppConfig):
    name = "tests.faults.table"
    label = "faults_table"

    def ready(self) -> None:
        from tests.faults.table import watching

        watching.install()
